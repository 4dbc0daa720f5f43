package dev.muster.registry.rules;

import dev.muster.model.GroupKind;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Objects that are checked and kept as kube-apiserver does, but that do not do yet what they are
 * for. Who makes or changes one is warned; a line goes when its kind comes into force.
 */
public final class NotInForce {
  private static final String FLOWS = "all requests wait in one line";

  private static final Map<GroupKind, String> KINDS =
      Map.ofEntries(
          kind(
              "apiregistration.k8s.io",
              "APIService",
              "requests are not passed on to other API servers"),
          kind("flowcontrol.apiserver.k8s.io", "FlowSchema", FLOWS),
          kind("flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration", FLOWS));

  private NotInForce() {}

  private static Map.Entry<GroupKind, String> kind(String group, String kind, String what) {
    return Map.entry(new GroupKind(group, kind), what);
  }

  /**
   * What to warn of when that object is written; nothing when only its metadata or status changes.
   *
   * @param old null when it is made
   */
  public static List<String> warnings(GroupKind kind, JsonObject object, @Nullable JsonObject old) {
    var what = KINDS.get(kind);
    if (what == null || isLocal(kind, object) || (old != null && saysTheSame(object, old))) {
      return List.of();
    }
    return List.of("%s is not in force yet: %s".formatted(kind.kind(), what));
  }

  /** An APIService for what this server answers itself. */
  private static boolean isLocal(GroupKind kind, JsonObject object) {
    return kind.kind().equals("APIService")
        && !(object.object("spec").get("service") instanceof JsonObject);
  }

  private static boolean saysTheSame(JsonObject object, JsonObject old) {
    return Objects.equals(
        object.without("metadata").without("status"), old.without("metadata").without("status"));
  }
}
