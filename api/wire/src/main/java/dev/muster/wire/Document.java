package dev.muster.wire;

import dev.muster.model.json.Json;
import java.util.List;

/**
 * A decoded body: its value, in which the last of several equal keys won, and what was repeated in
 * it.
 *
 * @param complaints what the syntax itself has to say about repeated keys (YAML); empty for JSON
 */
public record Document(Json value, List<String> complaints, Duplicates duplicates) {
  public Document(Json value) {
    this(value, List.of(), Duplicates.NONE);
  }
}
