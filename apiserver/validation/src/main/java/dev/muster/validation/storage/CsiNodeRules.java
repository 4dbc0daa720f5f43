package dev.muster.validation.storage;

import static dev.muster.validation.FieldChecks.nonNegative;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The strategy of CSINodes. */
public final class CsiNodeRules {
  private static final int MOST_ID_BYTES = 256;

  private static final Rule NODE =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN), field("spec.drivers", CsiNodeRules::drivers));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .create(NODE)
          .update(NODE, field("spec.drivers", CsiNodeRules::fixed))
          .refusesUnconditionalUpdate()
          .answersDeleteWithObject()
          .build();

  private CsiNodeRules() {}

  private static void drivers(FieldCursor drivers) {
    var names = new HashSet<String>();
    drivers.items().forEach(driver -> driver(driver, names));
  }

  private static void driver(FieldCursor driver, Set<String> names) {
    var name = driver.at("name");
    VolumeSources.driverName(name);
    var id = driver.at("nodeID");
    if (id.isEmpty()) {
      id.required("");
    }
    if (GoText.bytes(id.text()) > MOST_ID_BYTES) {
      id.invalid("must be " + MOST_ID_BYTES + " characters or less");
    }
    nonNegative().check(driver.at("allocatable", "count"));
    if (!names.add(name.text())) {
      name.duplicate();
    }
    var keys = new HashSet<String>();
    for (var key : driver.at("topologyKeys").items()) {
      topologyKey(driver, key.text(), keys);
    }
  }

  /** Errors name the driver, not the key. */
  private static void topologyKey(FieldCursor driver, String key, Set<String> seen) {
    if (key.isEmpty()) {
      driver.required("");
    }
    if (!seen.add(key)) {
      driver.report(FieldError.duplicate(driver.path(), Json.of(key)));
    }
    for (var problem : Names.qualifiedName(key)) {
      driver.invalid(Json.of(key), problem);
    }
  }

  /**
   * Drivers can be added and removed; of an existing driver only the allocatable count can change.
   */
  private static void fixed(FieldCursor drivers) {
    var now =
        drivers.array().objects().stream()
            .map(driver -> driver.without("allocatable"))
            .collect(Collectors.groupingBy(driver -> driver.string("name")));
    for (var driver : drivers.before().array().objects()) {
      var old = driver.without("allocatable");
      for (var one : now.getOrDefault(old.string("name"), List.of())) {
        if (!one.equals(old)) {
          drivers.invalid(one, MetadataRules.IMMUTABLE);
        }
      }
    }
  }
}
