package dev.muster.controllers.namespaces;

import io.fabric8.kubernetes.api.model.NamespaceCondition;
import io.fabric8.kubernetes.api.model.NamespaceConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The status conditions of a terminating namespace, with upstream's texts. */
final class NamespaceConditions {
  private NamespaceConditions() {}

  /** The five conditions after an attempt; unchanged ones keep their transition time. */
  static List<NamespaceCondition> after(
      NamespaceContent content, List<NamespaceCondition> before, Instant now) {
    var conditions = new ArrayList<NamespaceCondition>();
    for (var condition : of(content)) {
      var old = before.stream().filter(c -> c.getType().equals(condition.getType())).findFirst();
      boolean same = old.isPresent() && old.get().getStatus().equals(condition.getStatus());
      condition.setLastTransitionTime(
          same
              ? old.get().getLastTransitionTime()
              : now.truncatedTo(ChronoUnit.SECONDS).toString());
      conditions.add(condition);
    }
    before.stream()
        .filter(old -> conditions.stream().noneMatch(c -> c.getType().equals(old.getType())))
        .forEach(conditions::add);
    return conditions;
  }

  /** Whether both lists are equal apart from transition times. */
  static boolean sameContent(List<NamespaceCondition> one, List<NamespaceCondition> other) {
    return texts(one).equals(texts(other));
  }

  private static List<List<String>> texts(List<NamespaceCondition> conditions) {
    return conditions.stream()
        .map(
            c ->
                List.of(
                    c.getType(),
                    c.getStatus(),
                    Objects.toString(c.getReason(), ""),
                    Objects.toString(c.getMessage(), "")))
        .toList();
  }

  private static List<NamespaceCondition> of(NamespaceContent content) {
    return List.of(
        content.undiscovered().isEmpty()
            ? fine(
                "NamespaceDeletionDiscoveryFailure",
                "ResourcesDiscovered",
                "All resources successfully discovered")
            : wrong(
                "NamespaceDeletionDiscoveryFailure",
                "DiscoveryFailed",
                "Discovery failed for some groups, %d failing: %s"
                    .formatted(
                        content.undiscovered().size(), String.join(", ", content.undiscovered()))),
        fine(
            "NamespaceDeletionGroupVersionParsingFailure",
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed"),
        content.failures().isEmpty()
            ? fine(
                "NamespaceDeletionContentFailure",
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization")
            : wrong(
                "NamespaceDeletionContentFailure",
                "ContentDeletionFailed",
                "Failed to delete all resource types, %d remaining: %s"
                    .formatted(
                        content.failures().size(),
                        content.failures().stream().sorted().collect(Collectors.joining(", ")))),
        content.remaining().isEmpty()
            ? fine(
                "NamespaceContentRemaining", "ContentRemoved", "All content successfully removed")
            : wrong(
                "NamespaceContentRemaining",
                "SomeResourcesRemain",
                "Some resources are remaining: "
                    + each(content.remaining(), "%s has %d resource instances")),
        content.finalizers().isEmpty()
            ? fine(
                "NamespaceFinalizersRemaining",
                "ContentHasNoFinalizers",
                "All content-preserving finalizers finished")
            : wrong(
                "NamespaceFinalizersRemaining",
                "SomeFinalizersRemain",
                "Some content in the namespace has finalizers remaining: "
                    + each(content.finalizers(), "%s in %d resource instances")));
  }

  private static String each(SortedMap<String, Integer> counts, String text) {
    return counts.entrySet().stream()
        .map((Map.Entry<String, Integer> entry) -> text.formatted(entry.getKey(), entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static NamespaceCondition fine(String type, String reason, String message) {
    return condition(type, "False", reason, message);
  }

  private static NamespaceCondition wrong(String type, String reason, String message) {
    return condition(type, "True", reason, message);
  }

  private static NamespaceCondition condition(
      String type, String status, String reason, String message) {
    return new NamespaceConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason(reason)
        .withMessage(message)
        .build();
  }
}
