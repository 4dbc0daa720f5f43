package dev.muster.registry.rules.storage;

import static dev.muster.registry.rules.Rules.clusterMetadata;
import static dev.muster.registry.rules.Rules.field;
import static dev.muster.registry.rules.Rules.metadataUpdate;

import dev.muster.model.NameRule;
import dev.muster.registry.Strategy;
import dev.muster.registry.rules.Place;
import dev.muster.registry.rules.ResourceRules;
import dev.muster.registry.rules.Rule;

/** VolumeAttributesClass: what can be changed in a volume while it is in use. */
public final class AttributesClassRules {
  private static final Rule CLASS =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          field("driverName", Parameters::driver),
          field("parameters", Parameters.check(false)));

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

  private static void fixed(Place place) {
    if (place.isChanged()) {
      place.forbidden("updates to " + place.name() + " are forbidden.");
    }
  }
}
