package dev.muster.validation.fleet;

import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.Conditions;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.StatusMetadata;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The strategy of StorageVersionMigrations: the migrated resource cannot change, and a final status
 * stays.
 */
public final class MigrationRules {
  private static final Pattern RESOURCE_VERSION = Pattern.compile("[1-9][0-9]*");

  private static final Rule OBJECT =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN), field("spec.resource", MigrationRules::what));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .create(OBJECT)
          .update(OBJECT, metadataUpdate(), field("spec", FieldChecks.immutable()))
          .prepareStatusUpdate(StatusMetadata::kept)
          .statusUpdate(metadataUpdate(), field("status", MigrationRules::status))
          .refusesUnconditionalUpdate()
          .build();

  private MigrationRules() {}

  private static void what(FieldCursor resource) {
    var plural = resource.at("resource");
    if (plural.isEmpty()) {
      plural.required("resource is required to be set");
    } else {
      joined(plural, Names.dns1035Label(plural.text()));
    }
    var group = resource.at("group");
    if (!group.isEmpty()) {
      joined(group, Names.dnsSubdomain(group.text()));
    }
  }

  private static void joined(FieldCursor place, List<String> problems) {
    if (!problems.isEmpty()) {
      place.invalid(String.join(",", problems));
    }
  }

  private static void status(FieldCursor status) {
    var version = status.at("resourceVersion");
    if (!version.isEmpty() && !RESOURCE_VERSION.matcher(version.text()).matches()) {
      version.invalid("resource version is not well formed: " + version.text());
    }
    Conditions.check(status.at("conditions"));
    var before = version.before().text();
    if (!before.isEmpty() && !before.equals(version.text())) {
      version.invalid("field is immutable");
    }
    var conditions = status.at("conditions");
    if (has(conditions, "Succeeded") && has(conditions, "Failed")) {
      conditions.invalid("Both success and failed conditions cannot be true at the same time");
    }
    stays(conditions, "Succeeded", "Success");
    stays(conditions, "Failed", "Failed");
  }

  private static void stays(FieldCursor conditions, String type, String shown) {
    if (has(conditions.before(), type) && !has(conditions, type)) {
      conditions.invalid(shown + " condition cannot be set to false once it is true");
    }
  }

  private static boolean has(FieldCursor conditions, String type) {
    return conditions.items().stream()
        .filter(condition -> condition.at("type").isText(type))
        .limit(1)
        .anyMatch(condition -> condition.at("status").isText("True"));
  }
}
