package dev.muster.registry;

import dev.muster.change.FieldFilter;
import dev.muster.change.FieldSet;
import dev.muster.schema.ResourceType;
import java.util.Map;

/**
 * The fields that a write to an endpoint cannot set, and that nobody owns by such a write: the
 * status through the object itself, all but the status through {@code status}.
 */
final class ResetFields {
  private static final FieldFilter STATUS = without("status");
  private static final FieldFilter SPEC = without("spec");
  private static final FieldFilter METADATA_AND_SPEC = without("metadata", "spec");

  /** Where it is not that simple. */
  private static final Map<String, FieldFilter> SPECIAL =
      Map.ofEntries(
          Map.entry("apiservices.apiregistration.k8s.io/status", METADATA_AND_SPEC),
          Map.entry("certificatesigningrequests.certificates.k8s.io", without("spec", "status")),
          Map.entry(
              "certificatesigningrequests.certificates.k8s.io/status",
              without("spec", "status.conditions")),
          Map.entry(
              "certificatesigningrequests.certificates.k8s.io/approval",
              without("spec", "status.certificate")),
          Map.entry("deployments.apps/status", without("spec", "metadata.labels")),
          Map.entry("flowschemas.flowcontrol.apiserver.k8s.io/status", METADATA_AND_SPEC),
          Map.entry("namespaces/finalize", STATUS),
          Map.entry(
              "pods/status",
              without("spec", "metadata.deletionTimestamp", "metadata.ownerReferences")),
          Map.entry(
              "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io/status", METADATA_AND_SPEC),
          Map.entry("resourceclaims.resource.k8s.io/status", METADATA_AND_SPEC),
          Map.entry("servicecidrs.networking.k8s.io/status", METADATA_AND_SPEC),
          Map.entry(
              "validatingadmissionpolicies.admissionregistration.k8s.io/status", METADATA_AND_SPEC),
          Map.entry("volumeattachments.storage.k8s.io/status", METADATA_AND_SPEC));

  private ResetFields() {}

  private static FieldFilter without(String... fields) {
    return FieldFilter.without(FieldSet.of(fields));
  }

  static FieldFilter of(ResourceType type, String subresource) {
    var name = type.groupResource().toString();
    var special = SPECIAL.get(subresource.isEmpty() ? name : name + "/" + subresource);
    if (special != null) {
      return special;
    }
    return switch (subresource) {
      case "" -> type.has("status") ? STATUS : FieldFilter.NONE;
      case "status" -> SPEC;
      default -> FieldFilter.NONE;
    };
  }
}
