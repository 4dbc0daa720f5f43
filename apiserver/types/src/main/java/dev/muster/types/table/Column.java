package dev.muster.types.table;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Instant;

/**
 * A column of a table.
 *
 * @param type the OpenAPI type of its cells
 * @param format {@code name} for the column that names the object
 * @param priority 0 is always shown, 1 only in wide output
 */
public record Column(
    String name, String type, String format, int priority, String description, Cell cell) {

  /** Computes a cell. */
  @FunctionalInterface
  public interface Cell {
    Json of(JsonObject object, Instant now);
  }

  JsonObject definition() {
    return JsonObject.of(
        "name",
        name,
        "type",
        type,
        "format",
        format,
        "description",
        description,
        "priority",
        priority);
  }

  /** This column, shown only in wide output. */
  Column wide() {
    return new Column(name, type, format, 1, description, cell);
  }
}
