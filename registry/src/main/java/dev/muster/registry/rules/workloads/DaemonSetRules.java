package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Default.value;
import static dev.muster.registry.rules.Default.when;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.Json;
import dev.muster.model.JsonObject;
import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Default;

/** DaemonSet: a pod on each node. */
final class DaemonSetRules {
  static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  private static final Default DEFAULTS =
      make(
          "spec",
          make(
              "updateStrategy",
              value("type", "RollingUpdate"),
              when(
                  strategy -> strategy.string("type").equals("RollingUpdate"),
                  make("rollingUpdate", value("maxUnavailable", 1), value("maxSurge", 0)))),
          value("revisionHistoryLimit", 10),
          make("template", PodDefaults.TEMPLATE));

  static final Strategy STRATEGY =
      Templates.workload()
          .defaults(DEFAULTS)
          .prepareCreate(
              set ->
                  withTemplateGeneration(
                      Templates.created(set), Math.max(1, templateGeneration(set))))
          .prepareUpdate(DaemonSetRules::updated)
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .build();

  private DaemonSetRules() {}

  private static JsonObject updated(JsonObject set, JsonObject old) {
    var prepared = Templates.updated(set, old);
    boolean changed = !prepared.object("spec", "template").equals(old.object("spec", "template"));
    return withTemplateGeneration(prepared, templateGeneration(old) + (changed ? 1 : 0));
  }

  /** Counts changes of the template; kept in an annotation, where an older field was. */
  private static long templateGeneration(JsonObject set) {
    try {
      return Long.parseLong(set.object("metadata", "annotations").string(TEMPLATE_GENERATION));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static JsonObject withTemplateGeneration(JsonObject set, long generation) {
    return set.withAt(
        Json.of(Long.toString(generation)), "metadata", "annotations", TEMPLATE_GENERATION);
  }
}
