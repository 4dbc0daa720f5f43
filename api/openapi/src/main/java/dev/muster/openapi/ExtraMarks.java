package dev.muster.openapi;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Marks that say nothing about how the server works, only what clients may read in the schema. */
final class ExtraMarks {
  private static final String CORE = "io.k8s.api.core.v1.";
  private static final String FLOW_CONTROL = "io.k8s.api.flowcontrol.v1.";

  private static final Map<String, JsonObject> UNIONS =
      Map.of(
          CORE + "AppArmorProfile",
          union("type", "localhostProfile"),
          CORE + "PodSchedulingGroup",
          union("", "podGroupName"),
          CORE + "SeccompProfile",
          union("type", "localhostProfile"),
          FLOW_CONTROL + "LimitResponse",
          union("type", "queuing"),
          FLOW_CONTROL + "PriorityLevelConfigurationSpec",
          union("type", "exempt", "limited"),
          FLOW_CONTROL + "Subject",
          union("kind", "group", "serviceAccount", "user"));

  /** Versions that are not served by default; options and events are known in all of them. */
  static final List<String> KNOWN_VERSIONS =
      List.of(
          "admission.k8s.io/v1",
          "admission.k8s.io/v1beta1",
          "admissionregistration.k8s.io/v1alpha1",
          "admissionregistration.k8s.io/v1beta1",
          "apiextensions.k8s.io/v1beta1",
          "apiregistration.k8s.io/v1beta1",
          "apps/v1beta1",
          "apps/v1beta2",
          "authentication.k8s.io/v1alpha1",
          "authentication.k8s.io/v1beta1",
          "authorization.k8s.io/v1beta1",
          "batch/v1beta1",
          "certificates.k8s.io/v1alpha1",
          "certificates.k8s.io/v1beta1",
          "coordination.k8s.io/v1alpha2",
          "coordination.k8s.io/v1beta1",
          "discovery.k8s.io/v1beta1",
          "events.k8s.io/v1beta1",
          "extensions/v1beta1",
          "flowcontrol.apiserver.k8s.io/v1beta1",
          "flowcontrol.apiserver.k8s.io/v1beta2",
          "flowcontrol.apiserver.k8s.io/v1beta3",
          "imagepolicy.k8s.io/v1alpha1",
          "internal.apiserver.k8s.io/v1alpha1",
          "networking.k8s.io/v1beta1",
          "node.k8s.io/v1alpha1",
          "node.k8s.io/v1beta1",
          "policy/v1beta1",
          "rbac.authorization.k8s.io/v1alpha1",
          "rbac.authorization.k8s.io/v1beta1",
          "resource.k8s.io/v1alpha3",
          "resource.k8s.io/v1beta1",
          "resource.k8s.io/v1beta2",
          "scheduling.k8s.io/v1alpha2",
          "scheduling.k8s.io/v1beta1",
          "storage.k8s.io/v1alpha1",
          "storage.k8s.io/v1beta1",
          "storagemigration.k8s.io/v1beta1");

  private ExtraMarks() {}

  /** Which fields of a struct exclude one another, by the field that says which one counts. */
  private static JsonObject union(String discriminator, String... fields) {
    var names = JsonObject.builder();
    for (var field : fields) {
      names.put(field, field.substring(0, 1).toUpperCase(Locale.ROOT) + field.substring(1));
    }
    return JsonObject.builder()
        .putIf("discriminator", discriminator)
        .put("fields-to-discriminateBy", names.build())
        .build();
  }

  static void ofStruct(String name, JsonObject.Builder schema) {
    var union = UNIONS.get(name);
    if (union != null) {
      schema.put("x-kubernetes-unions", JsonArray.of(List.<Json>of(union)));
    }
  }

  static void ofField(String struct, String field, JsonObject.Builder schema) {
    if (field.equals("allocatedResourceStatuses")) {
      schema.put("x-kubernetes-map-type", "granular");
    } else if (field.equals("caBundle") && struct.endsWith(".APIServiceSpec")) {
      schema.put("x-kubernetes-list-type", "atomic");
    }
  }
}
