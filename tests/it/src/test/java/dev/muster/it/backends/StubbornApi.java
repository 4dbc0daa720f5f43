package dev.muster.it.backends;

import dev.muster.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** The stubborn backend as an API server behind this one, in the namespace {@code stuck}. */
final class StubbornApi {
  static final String SERVICES = "/api/v1/namespaces/stuck/services";
  static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  static final String API_SERVICE = API_SERVICES + "/v1.stubborn.example.com";
  static final String THINGS = "/apis/stubborn.example.com/v1/namespaces/stuck/things";

  static final String SERVICE =
      """
      {"metadata":{"name":"stubborn"},"spec":{"type":"ExternalName","externalName":"localhost"}}
      """;

  private StubbornApi() {}

  /** What has to be made, in this order: the collection and the object. */
  static Map<String, String> objects(StubbornBackend backend) {
    var objects = new LinkedHashMap<String, String>();
    objects.put(SERVICES, SERVICE);
    objects.put(
        API_SERVICES,
        """
        {"metadata":{"name":"v1.stubborn.example.com"},"spec":{"group":"stubborn.example.com",
         "version":"v1","groupPriorityMinimum":100,"versionPriority":100,"caBundle":"%s",
         "service":{"namespace":"stuck","name":"stubborn","port":%d}}}
        """
            .formatted(backend.authority(), backend.port()));
    return objects;
  }

  /** Whether an APIService is available. */
  static boolean isAvailable(JsonObject apiService) {
    return apiService.object("status").array("conditions").objects().stream()
        .anyMatch(
            condition ->
                condition.string("type").equals("Available")
                    && condition.string("status").equals("True"));
  }
}
