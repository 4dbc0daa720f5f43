package dev.muster.validation.pods.scheduling;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.json.Json;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.ValueChecks;
import java.util.Map;

/** The strategy of PriorityClasses. */
public final class PriorityClassRules {
  private static final String SYSTEM_PREFIX = "system-";
  private static final long MOST_FOR_USERS = 1_000_000_000;
  private static final Map<String, Long> SYSTEM_CLASSES =
      Map.of("system-node-critical", 2_000_001_000L, "system-cluster-critical", 2_000_000_000L);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(absent("preemptionPolicy", "PreemptLowerPriority"))
          .prepareCreate(type -> type.withAt(Json.of(1), "metadata", "generation"))
          .create(
              clusterMetadata(NameRule.DNS_SUBDOMAIN),
              PriorityClassRules::value,
              ifPresent(
                  "preemptionPolicy",
                  policy -> ValueChecks.choice(policy, "PreemptLowerPriority", "Never")))
          .update(
              metadataUpdate(),
              field("value", PriorityClassRules::fixed),
              field("preemptionPolicy", immutable()))
          .keeps(
              name ->
                  SYSTEM_CLASSES.containsKey(name)
                      ? "this is a system priority class and cannot be deleted"
                      : "")
          .build();

  private PriorityClassRules() {}

  private static void value(FieldCursor type) {
    var name = type.at("metadata", "name");
    if (name.text().startsWith(SYSTEM_PREFIX)) {
      var problem = systemProblem(type, name.text());
      if (!problem.isEmpty()) {
        name.forbidden(
            "priority class names with '"
                + SYSTEM_PREFIX
                + "' prefix are reserved for system use only. error: "
                + problem);
      }
    } else if (type.at("value").integer() > MOST_FOR_USERS) {
      type.at("value")
          .forbidden("maximum allowed value of a user defined priority is " + MOST_FOR_USERS);
    }
  }

  private static String systemProblem(FieldCursor type, String name) {
    var value = SYSTEM_CLASSES.get(name);
    if (value == null) {
      return name + " is not a known system priority class";
    }
    if (type.at("value").integer() != value) {
      return "value of " + name + " PriorityClass must be " + value;
    }
    return type.at("globalDefault").isTrue()
        ? "globalDefault of " + name + " PriorityClass must be false"
        : "";
  }

  private static void fixed(FieldCursor value) {
    if (value.integer() != value.before().integer()) {
      value.forbidden("may not be changed in an update.");
    }
  }
}
