package dev.muster.wire;

import dev.muster.model.json.Json;
import java.util.List;

/**
 * A decoded body and its repeated keys. Of several equal keys, the value contains the last one.
 *
 * @param complaints the parser's messages about repeated keys (YAML); empty for JSON
 */
public record Document(Json value, List<String> complaints, Duplicates duplicates) {
  public Document(Json value) {
    this(value, List.of(), Duplicates.NONE);
  }
}
