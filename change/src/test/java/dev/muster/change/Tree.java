package dev.muster.change;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;

/** Trees out of JSON in which ' stands for ". */
final class Tree {
  private Tree() {}

  static Json json(String text) {
    return JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static JsonObject object(String text) {
    return (JsonObject) json(text);
  }

  static JsonArray array(String text) {
    return (JsonArray) json(text);
  }
}
