package dev.muster.registry.rules.workloads;

import static dev.muster.registry.rules.Default.make;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;
import static dev.muster.registry.rules.Rules.namespacedMetadata;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.pods.DisabledFields;
import dev.muster.registry.rules.pods.PodDefaults;
import dev.muster.registry.rules.pods.PodSpecRules;
import dev.muster.registry.rules.pods.PodWarnings;
import dev.muster.registry.types.Strategy;

/** PodTemplate: a template of pods that belongs to nobody. */
public final class TemplateRules {
  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(PodSpecRules.EMPTY_FIELDS.under("template.spec"))
          .defaults(make("template", PodDefaults.TEMPLATE))
          .generation()
          .prepareCreate(
              object -> DisabledFields.droppedAt(object, JsonObject.EMPTY, "template", "spec"))
          .prepareUpdate((object, old) -> DisabledFields.droppedAt(object, old, "template", "spec"))
          .create(
              namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("template", PodSpecRules::template))
          .update(metadataUpdate(), field("template", PodSpecRules::template))
          .answersDeleteWithObject()
          .warnings(object -> PodWarnings.template(object, "template"))
          .build();

  private TemplateRules() {}
}
