package dev.muster.schema;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import java.util.Set;

/**
 * Kinds that upstream keeps under an older version's name than the one it serves. Mutating policies
 * have the same structure in both, so they are kept under that name here too; definitions of custom
 * resources have not, and are kept in the version that is served.
 */
public final class StoredKinds {
  private static final String STORED = "admissionregistration.k8s.io/v1beta1";
  private static final String SERVED = "admissionregistration.k8s.io/v1";
  private static final Set<String> KINDS =
      Set.of("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding");

  private StoredKinds() {}

  /** Whether objects of that version may be served under another. */
  public static boolean isRenamed(String apiVersion) {
    return apiVersion.equals(STORED);
  }

  public static JsonObject served(JsonObject stored) {
    return rename(stored, STORED, SERVED);
  }

  public static JsonObject stored(JsonObject served) {
    return rename(served, SERVED, STORED);
  }

  private static JsonObject rename(JsonObject object, String from, String to) {
    return object.string("apiVersion").equals(from) && KINDS.contains(object.string("kind"))
        ? object.with("apiVersion", to)
        : object;
  }

  /** The kind whose struct a stored object has. */
  public static GroupVersionKind served(GroupVersionKind kind) {
    return kind.apiVersion().equals(STORED) && KINDS.contains(kind.kind())
        ? new GroupVersionKind(kind.group(), "v1", kind.kind())
        : kind;
  }
}
