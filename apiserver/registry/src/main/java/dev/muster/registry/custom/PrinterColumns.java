package dev.muster.registry.custom;

import dev.muster.model.HumanDuration;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.patch.edit.GoValue;
import dev.muster.types.table.Column;
import dev.muster.types.table.TableSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the table columns of a custom resource from {@code additionalPrinterColumns}. */
final class PrinterColumns {
  private static final JsonObject AGE =
      JsonObject.of(
          "name",
          "Age",
          "type",
          "date",
          "description",
          "How long ago the object was made.",
          "jsonPath",
          ".metadata.creationTimestamp");

  private PrinterColumns() {}

  /**
   * @param version of a definition; without columns of its own the table shows the age
   */
  static TableSpec of(JsonObject version) {
    var wanted = version.array("additionalPrinterColumns").objects();
    var columns = new ArrayList<Column>();
    columns.add(TableSpec.nameColumn());
    for (var column : wanted.isEmpty() ? List.of(AGE) : wanted) {
      var path = JsonPathParser.parse(column.string("jsonPath"));
      if (path == null) {
        // As in upstream, an unreadable column ends the list of columns.
        break;
      }
      columns.add(column(column, path));
    }
    return TableSpec.of(columns.toArray(Column[]::new));
  }

  private static Column column(JsonObject column, JsonPath path) {
    var type = column.string("type");
    var description = column.string("description");
    return new Column(
        column.string("name"),
        type,
        column.string("format"),
        (int) column.integer("priority", 0),
        description.isEmpty()
            ? "Custom resource definition column (in JSONPath format): " + column.string("jsonPath")
            : description,
        (object, now) -> cell(type, path.first(object), now));
  }

  private static Json cell(String type, @Nullable Json value, Instant now) {
    if (value == null || value == JsonNull.NULL) {
      return JsonNull.NULL;
    }
    return switch (type) {
      case "string" -> Json.of(text(value));
      case "integer" ->
          value instanceof JsonNumber number ? Json.of((long) number.doubleValue()) : JsonNull.NULL;
      case "number" -> value instanceof JsonNumber ? value : JsonNull.NULL;
      case "boolean" -> value instanceof JsonBool ? value : JsonNull.NULL;
      case "date" -> value instanceof JsonString time ? age(time.value(), now) : JsonNull.NULL;
      default -> JsonNull.NULL;
    };
  }

  /** The value as Go prints it; objects and lists as JSON. */
  private static String text(Json value) {
    return value instanceof JsonObject || value instanceof JsonArray
        ? value.toString()
        : GoValue.print(value);
  }

  private static Json age(String time, Instant now) {
    if (time.isEmpty() || time.equals("null")) {
      return Json.of("<unknown>");
    }
    try {
      return Json.of(HumanDuration.since(Timestamps.parse(time), now));
    } catch (MalformedValueException e) {
      return Json.of("<invalid>");
    }
  }
}
