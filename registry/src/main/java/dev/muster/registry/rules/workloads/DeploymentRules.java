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
import dev.muster.registry.rules.Generation;
import dev.muster.registry.rules.ResourceRules;

/** Deployment: replaces pods by newer ones, some at a time. */
final class DeploymentRules {
  private static final Default DEFAULTS =
      make(
          "spec",
          value("replicas", 1),
          make(
              "strategy",
              value("type", "RollingUpdate"),
              when(
                  strategy -> strategy.string("type").equals("RollingUpdate"),
                  make("rollingUpdate", value("maxUnavailable", "25%"), value("maxSurge", "25%")))),
          value("revisionHistoryLimit", 10),
          value("progressDeadlineSeconds", 600),
          make("template", PodDefaults.TEMPLATE));

  static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .status()
          .defaults(DEFAULTS)
          .prepareCreate(
              object -> Templates.created(object).withAt(Json.of(1), "metadata", "generation"))
          .prepareUpdate(DeploymentRules::updated)
          .prepareStatusUpdate(DeploymentRules::statusUpdated)
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate())
          .build();

  private DeploymentRules() {}

  /** Annotations count too, because they are copied to replica sets. */
  private static JsonObject updated(JsonObject deployment, JsonObject old) {
    var prepared = Templates.updated(deployment, old);
    boolean changed =
        !prepared.object("spec").equals(old.object("spec"))
            || !prepared
                .object("metadata", "annotations")
                .equals(old.object("metadata", "annotations"));
    return Generation.with(prepared, old, changed);
  }

  private static JsonObject statusUpdated(JsonObject deployment, JsonObject old) {
    var labels = old.object("metadata").get("labels");
    return labels == null
        ? deployment.withoutAt("metadata", "labels")
        : deployment.withAt(labels, "metadata", "labels");
  }
}
