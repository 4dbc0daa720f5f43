package dev.muster.controllers.quota;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.ApiResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.quota.QuotaLookup;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cluster data for quota measures, read from the API server on first use. Not thread-safe. Blocks
 * the caller.
 */
final class ApiLookup implements QuotaLookup {
  private static final String DEVICES = "/apis/resource.k8s.io/v1";

  private final ApiRequests requests;
  private @Nullable Map<String, JsonObject> classes;
  private @Nullable List<JsonObject> claims;

  ApiLookup(ApiRequests requests) {
    this.requests = requests;
  }

  @Override
  public Map<String, JsonObject> deviceClasses() {
    var known = classes;
    if (known == null) {
      var read = new LinkedHashMap<String, JsonObject>();
      try {
        new ApiResource(requests, DEVICES, "deviceclasses")
            .list("", one -> read.put(one.object("metadata").string("name"), one));
      } catch (KubernetesClientException e) {
        if (!ApiResource.isGone(e)) {
          throw e;
        }
      }
      known = read;
      classes = read;
    }
    return known;
  }

  @Override
  public @Nullable JsonObject pod(String namespace, String name) {
    return new ApiResource(requests, "/api/v1", "pods").get(namespace, name).orElse(null);
  }

  @Override
  public List<JsonObject> deviceClaims(String namespace) {
    var known = claims;
    if (known == null) {
      var read = new ArrayList<JsonObject>();
      new ApiResource(requests, DEVICES, "resourceclaims").list(namespace, read::add);
      known = read;
      claims = read;
    }
    return known;
  }
}
