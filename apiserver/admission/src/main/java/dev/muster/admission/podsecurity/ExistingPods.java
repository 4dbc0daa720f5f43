package dev.muster.admission.podsecurity;

import dev.muster.admission.podsecurity.Policy.Standard;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the violations of existing pods when their namespace is about to enforce another standard.
 */
final class ExistingPods {
  private static final int MOST = 3_000;

  private ExistingPods() {}

  static List<String> warnings(
      String namespace, Standard enforce, List<JsonObject> pods, PodSecuritySettings settings) {
    var ordered =
        oneOfEachFirst(pods.stream().filter(pod -> !settings.isExempt(view(pod))).toList());
    var checked = ordered.subList(0, Math.min(ordered.size(), MOST));
    var names = new TreeMap<String, TreeSet<String>>();
    for (var pod : checked) {
      var violations = PodSecurityChecks.violations(enforce, view(pod));
      if (!violations.isEmpty()) {
        names
            .computeIfAbsent(Violation.reasons(violations), key -> new TreeSet<>())
            .add(pod.object("metadata").string("name"));
      }
    }
    var warnings = new ArrayList<String>();
    if (checked.size() < ordered.size()) {
      warnings.add(
          "new PodSecurity enforce level only checked against the first %d of %d existing pods"
              .formatted(checked.size(), ordered.size()));
    }
    if (!names.isEmpty()) {
      warnings.add(
          "existing pods in namespace "
              + GoText.quote(namespace)
              + " violate the new PodSecurity enforce level "
              + GoText.quote(enforce.toString()));
    }
    var each = new TreeSet<String>();
    names.forEach((reasons, who) -> each.add(who(who) + ": " + reasons));
    warnings.addAll(each);
    return warnings;
  }

  private static PodView view(JsonObject pod) {
    return new PodView(pod.object("metadata"), pod.object("spec"));
  }

  private static String who(SortedSet<String> names) {
    return names.first()
        + switch (names.size()) {
          case 1 -> "";
          case 2 -> " (and 1 other pod)";
          default -> " (and " + (names.size() - 1) + " other pods)";
        };
  }

  /**
   * Orders the pods so that one pod of each controller comes first, because its other pods are
   * alike.
   */
  private static List<JsonObject> oneOfEachFirst(List<JsonObject> pods) {
    var first = new ArrayList<JsonObject>();
    var rest = new ArrayList<JsonObject>();
    var seen = new HashSet<String>();
    for (var pod : pods) {
      var controller =
          pod.object("metadata").array("ownerReferences").objects().stream()
              .filter(owner -> owner.isTrue("controller"))
              .map(owner -> owner.string("uid"))
              .findFirst();
      (controller.isEmpty() || seen.add(controller.get()) ? first : rest).add(pod);
    }
    first.addAll(rest);
    return first;
  }
}
