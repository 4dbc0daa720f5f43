package dev.muster.patch.edit;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;

/** Trees out of JSON in which ' stands for ". */
public final class Tree {
  private Tree() {}

  public static Json json(String text) {
    return JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  public static JsonObject object(String text) {
    return (JsonObject) json(text);
  }

  public static JsonArray array(String text) {
    return (JsonArray) json(text);
  }
}
