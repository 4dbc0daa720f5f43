package dev.muster.validation.apps;

import static dev.muster.validation.Default.make;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.pods.DisabledFields;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.PodSpecRules;
import dev.muster.validation.pods.PodWarnings;

/** The strategy of PodTemplates. */
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
