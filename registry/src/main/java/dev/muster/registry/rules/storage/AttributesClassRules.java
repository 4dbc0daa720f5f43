package dev.muster.registry.rules.storage;

import static dev.muster.registry.rules.Rules.clusterMetadata;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;

import dev.muster.model.validation.NameRule;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rule;
import dev.muster.registry.types.Strategy;

/** VolumeAttributesClass: what can be changed in a volume while it is in use. */
public final class AttributesClassRules {
  private static final Rule CLASS =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          field("driverName", StorageParameters::driver),
          field("parameters", StorageParameters.check(false)));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .create(CLASS)
          .update(
              metadataUpdate(),
              field("driverName", AttributesClassRules::fixed),
              field("parameters", AttributesClassRules::fixed),
              CLASS)
          .answersDeleteWithObject()
          .build();

  private AttributesClassRules() {}

  private static void fixed(FieldCursor place) {
    if (place.isChanged()) {
      place.forbidden("updates to " + place.name() + " are forbidden.");
    }
  }
}
