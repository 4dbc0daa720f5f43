package dev.muster.validation.resource;

import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Default.withoutEmpty;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Defaults of slices, and the fields that are dropped because their feature is disabled. */
final class SliceDefaults {
  private static final List<String> LISTS = List.of("bools", "ints", "strings", "versions");
  private static final String MAPPINGS = "nodeAllocatableResourceMappings";
  private static final Default ONCE = Default.absent("allocationMultiplier", "1");

  /** Sets the time of a taint. */
  static final Default TAINTS = taints(InstantSource.system());

  /** Removes an empty list if the other list is absent; both lists together are refused. */
  static final Default ONE_LIST =
      in(
          "spec",
          when(
              spec -> !spec.has("devices") || !spec.has("sharedCounters"),
              withoutEmpty("devices"),
              withoutEmpty("sharedCounters")));

  private SliceDefaults() {}

  static Default taints(InstantSource clock) {
    return in(
        "spec",
        each(
            "devices",
            Default.code(SliceDefaults::withMultipliers),
            each(
                "taints",
                Default.code(
                    taint ->
                        taint.get("timeAdded") == null || taint.get("timeAdded") == JsonNull.NULL
                            ? taint.with("timeAdded", Timestamps.format(clock.instant()))
                            : taint))));
  }

  /** A node allocatable mapping of a device has a multiplier of 1 by default. */
  private static JsonObject withMultipliers(JsonObject device) {
    if (!(device.get(MAPPINGS) instanceof JsonObject mappings)) {
      return device;
    }
    var counted =
        mappings.mapValues(
            (name, mapping) -> mapping instanceof JsonObject object ? ONCE.apply(object) : mapping);
    return counted == mappings ? device : device.with(MAPPINGS, counted);
  }

  /** Drops the fields of disabled features, unless the stored slice already uses them. */
  static JsonObject withoutDisabled(JsonObject slice, JsonObject old) {
    var kept = slice;
    if (!any(old, device -> device.object(MAPPINGS).size() > 0)) {
      kept = change(kept, device -> device.without(MAPPINGS));
    }
    return any(old, SliceDefaults::hasLists) ? kept : change(kept, SliceDefaults::withoutLists);
  }

  private static boolean any(JsonObject slice, Predicate<JsonObject> condition) {
    return slice.object("spec").array("devices").objects().stream().anyMatch(condition);
  }

  private static JsonObject change(JsonObject slice, UnaryOperator<JsonObject> change) {
    if (!(slice.object("spec").get("devices") instanceof JsonArray devices)) {
      return slice;
    }
    var changed =
        devices.map(item -> item instanceof JsonObject device ? change.apply(device) : item);
    return changed == devices ? slice : slice.withAt(changed, "spec", "devices");
  }

  /** Whether an attribute of the device has a list of values. */
  static boolean hasLists(JsonObject device) {
    var attributes = device.object("attributes");
    for (int i = 0; i < attributes.size(); i++) {
      if (attributes.value(i) instanceof JsonObject attribute
          && LISTS.stream().anyMatch(attribute::has)) {
        return true;
      }
    }
    return false;
  }

  private static JsonObject withoutLists(JsonObject device) {
    if (!hasLists(device)) {
      return device;
    }
    return device.with(
        "attributes",
        device
            .object("attributes")
            .mapValues(
                (name, attribute) ->
                    attribute instanceof JsonObject object
                        ? withoutLists(object, LISTS)
                        : attribute));
  }

  private static JsonObject withoutLists(JsonObject attribute, List<String> lists) {
    var kept = attribute;
    for (var list : lists) {
      kept = kept.without(list);
    }
    return kept;
  }
}
