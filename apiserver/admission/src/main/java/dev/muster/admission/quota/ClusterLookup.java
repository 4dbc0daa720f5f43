package dev.muster.admission.quota;

import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.QuotaLookup;
import dev.muster.types.ClusterView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cluster data for quota measures, at the request's revision. */
record ClusterLookup(ClusterView cluster) implements QuotaLookup {
  @Override
  public Map<String, JsonObject> deviceClasses() {
    var classes = new LinkedHashMap<String, JsonObject>();
    for (var one : cluster.list("/deviceclasses", "")) {
      classes.put(one.object("metadata").string("name"), one);
    }
    return classes;
  }

  @Override
  public @Nullable JsonObject pod(String namespace, String name) {
    return cluster.get("/pods", namespace, name);
  }

  @Override
  public List<JsonObject> deviceClaims(String namespace) {
    return cluster.list("/resourceclaims", namespace);
  }
}
