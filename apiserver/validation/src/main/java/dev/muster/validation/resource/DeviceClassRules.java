package dev.muster.validation.resource;

import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;

/** The strategy of DeviceClasses. */
public final class DeviceClassRules {
  private static final Rule METADATA = clusterMetadata(NameRule.LONG_NAME);
  private static final Rule SPEC = field("spec", DeviceClassRules::spec);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .generation()
          .create(METADATA, SPEC)
          .update(METADATA, metadataUpdate(), SPEC)
          .answersDeleteWithObject()
          .build();

  private DeviceClassRules() {}

  private static void spec(FieldCursor spec) {
    DeviceSelectors.check(spec.at("selectors"));
    DeviceLists.list(spec.at("config"), DeviceConfigs.MOST, DeviceConfigs::check);
    var resource = spec.at("extendedResourceName");
    if (resource.isPresent() && !Resources.isExtended(resource.text())) {
      resource.invalid("must be a valid extended resource name");
    }
  }
}
