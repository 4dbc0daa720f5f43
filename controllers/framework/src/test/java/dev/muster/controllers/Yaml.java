package dev.muster.controllers;

import dev.muster.controllers.client.JsonTrees;
import dev.muster.model.json.JsonObject;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;

/** Objects as people write them. */
public final class Yaml {
  private static final KubernetesSerialization READER = new KubernetesSerialization();

  private Yaml() {}

  @SuppressWarnings("unchecked")
  public static JsonObject object(String yaml) {
    return JsonTrees.object(READER.unmarshal("---\n" + yaml, Map.class));
  }
}
