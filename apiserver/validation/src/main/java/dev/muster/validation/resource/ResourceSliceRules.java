package dev.muster.validation.resource;

import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The strategy of ResourceSlices. */
public final class ResourceSliceRules {
  private static final int MOST_DEVICES = 128;
  private static final int MOST_ADVANCED_DEVICES = 64;
  private static final int MOST_COUNTER_SETS = 8;
  private static final String ONE_PLACE =
      "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

  private static final Rule IMMUTABLE =
      Rule.all(
          field("pool.name", FieldChecks.immutable()),
          field("driver", FieldChecks.immutable()),
          field("nodeName", FieldChecks.immutable()));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .emptyFields(EmptyFields.at("spec.devices", "spec.sharedCounters"))
          .generation()
          .defaults(SliceDefaults.ONE_LIST, SliceDefaults.TAINTS)
          .prepareCreate(slice -> SliceDefaults.withoutDisabled(slice, JsonObject.EMPTY))
          .prepareUpdate(SliceDefaults::withoutDisabled)
          .create(clusterMetadata(NameRule.DNS_SUBDOMAIN), field("spec", ResourceSliceRules::spec))
          .update(metadataUpdate(), field("spec", ResourceSliceRules::spec))
          .warnings(ResourceSliceRules::warnings)
          .answersDeleteWithObject()
          .build();

  private ResourceSliceRules() {}

  private static void warnings(FieldCursor slice) {
    var driver = slice.at("spec", "driver").text();
    if (!driver.equals(driver.toLowerCase(Locale.ROOT))) {
      slice.warn(
          "spec.driver: driver names should be lowercase; "
              + GoText.quote(driver)
              + " contains uppercase characters");
    }
  }

  private static void spec(FieldCursor spec) {
    DeviceNames.driver(spec.at("driver"));
    var pool = spec.at("pool");
    DeviceNames.pool(pool.at("name"));
    var count = pool.at("resourceSliceCount");
    if (count.integer() <= 0) {
      count.invalid(Json.of(count.integer()), "must be greater than zero");
    }
    if (pool.at("generation").integer() < 0) {
      pool.at("generation").invalid("must be greater than or equal to zero");
    }
    IMMUTABLE.check(spec);
    nodes(spec);
    if (spec.has("sharedCounters") && spec.has("devices")) {
      spec.invalid(Json.of(""), "only one of `sharedCounters` or `devices` is allowed");
    }
    boolean perDevice = spec.at("perDeviceNodeSelection").isTrue();
    var devices = spec.at("devices");
    DeviceLists.named(
        devices,
        isAdvanced(devices) ? MOST_ADVANCED_DEVICES : MOST_DEVICES,
        device -> SliceDevices.check(device, perDevice),
        "name");
    DeviceLists.named(
        spec.at("sharedCounters"),
        MOST_COUNTER_SETS,
        set -> SliceDevices.counters(set, "name"),
        "name");
  }

  private static boolean isAdvanced(FieldCursor devices) {
    return devices.array().objects().stream()
        .anyMatch(
            device ->
                !device.array("taints").isEmpty()
                    || !device.array("consumesCounters").isEmpty()
                    || SliceDefaults.hasLists(device));
  }

  private static void nodes(FieldCursor spec) {
    var given = new ArrayList<String>();
    var name = spec.at("nodeName");
    if (name.isPresent() && name.isEmpty()) {
      name.invalid("must be either unset or set to a non-empty string");
    } else if (name.isPresent()) {
      given.add("`nodeName`");
      name.invalidEach(Names.dnsSubdomain(name.text()));
    }
    var selector = spec.at("nodeSelector");
    if (selector.isPresent()) {
      given.add("`nodeSelector`");
      NodeSelectors.selector(selector);
      var terms = selector.at("nodeSelectorTerms");
      if (terms.array().size() != 1) {
        terms.invalid(
            terms.isAbsent() ? JsonNull.NULL : terms.array(),
            "must have exactly one node selector term");
      }
    }
    for (var field : List.of("allNodes", "perDeviceNodeSelection")) {
      if (spec.at(field).isTrue()) {
        given.add("`" + field + "`");
      } else if (spec.has(field)) {
        spec.at(field).invalid("must be either unset or set to true");
      }
    }
    if (given.isEmpty()) {
      spec.required(ONE_PLACE);
    } else if (given.size() > 1) {
      spec.invalid(
          Json.of("{" + String.join(", ", given) + "}"),
          ONE_PLACE + ", but multiple fields are set");
    }
  }
}
