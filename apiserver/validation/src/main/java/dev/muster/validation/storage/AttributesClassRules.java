package dev.muster.validation.storage;

import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;

/** The strategy of VolumeAttributesClasses. */
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
