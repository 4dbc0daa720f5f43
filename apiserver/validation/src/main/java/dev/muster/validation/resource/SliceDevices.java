package dev.muster.validation.resource;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Validates the devices of a slice: attributes, capacities, taints and node selection. */
final class SliceDevices {
  private static final int MOST_PROPERTIES = 32;
  private static final int MOST_VALUES = 48;
  private static final int MOST_VALUE_BYTES = 64;
  private static final int MOST_TAINTS = 16;
  private static final int MOST_COUNTERS = 32;
  private static final int MOST_CONSUMPTIONS = 2;
  private static final int MOST_KEY = 63 + 1 + 32;
  private static final List<String> VALUES =
      List.of("bool", "int", "string", "version", "bools", "ints", "strings", "versions");
  private static final Pattern NUMBER = Pattern.compile("0|[1-9]\\d*");
  private static final Pattern IDENTIFIER = Pattern.compile("[0-9a-zA-Z-]+");
  private static final Pattern PRE_RELEASE =
      Pattern.compile("0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*");
  private static final String ONE_PLACE =
      "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
          + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";

  private SliceDevices() {}

  static void check(FieldCursor device, boolean perDevice) {
    DeviceNames.label(device.at("name"));
    var attributes = device.at("attributes");
    var capacity = device.at("capacity");
    int properties = attributes.object().size() + capacity.object().size();
    if (properties > MOST_PROPERTIES) {
      device.invalid(
          Json.of(properties),
          "the total number of attributes and capacities must not exceed " + MOST_PROPERTIES);
    }
    int values = values(attributes.object());
    if (values > MOST_VALUES) {
      device.invalid(
          Json.of(values), "the total number of attribute values must not exceed " + MOST_VALUES);
    }
    properties(attributes, SliceDevices::attribute);
    boolean shared = device.at("allowMultipleAllocations").isTrue();
    properties(capacity, amount -> Capacities.check(amount, shared));
    taints(device);
    DeviceLists.named(
        device.at("consumesCounters"),
        MOST_CONSUMPTIONS,
        consumption -> counters(consumption, "counterSet"),
        "counterSet");
    if (perDevice) {
      nodes(device);
    } else if (device.has("nodeName") || device.has("nodeSelector") || device.has("allNodes")) {
      device.invalid(
          JsonNull.NULL,
          "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is"
              + " set to true in the ResourceSlice spec");
    }
    BindingConditions.check(device);
  }

  private static int values(JsonObject attributes) {
    int count = 0;
    for (int i = 0; i < attributes.size(); i++) {
      int listed = 0;
      if (attributes.value(i) instanceof JsonObject attribute) {
        for (var list : VALUES.subList(4, 8)) {
          listed += attribute.array(list).size();
        }
      }
      count += Math.max(listed, 1);
    }
    return count;
  }

  /** Reports an invalid name at the map, and an invalid value at its key. */
  private static void properties(FieldCursor map, Rule rule) {
    for (var name : map.object().keys()) {
      DeviceNames.qualified(map, name);
      rule.check(GoText.bytes(name) <= MOST_KEY ? map.entry(name) : shortened(map, name));
    }
  }

  private static FieldCursor shortened(FieldCursor map, String name) {
    int left = MOST_KEY - 3;
    var shown =
        name.substring(0, (left + 1) / 2) + "..." + name.substring(name.length() - left / 2);
    return map.entry(shown).with(map.object().get(name));
  }

  private static void attribute(FieldCursor attribute) {
    int given = 0;
    for (var kind : VALUES) {
      var value = attribute.at(kind);
      if (value.isAbsent()) {
        continue;
      }
      given++;
      switch (kind) {
        case "string" -> FieldChecks.maxBytes(MOST_VALUE_BYTES).check(value);
        case "version" -> version(value);
        case "bools", "ints", "strings", "versions" -> {
          if (value.isEmpty()) {
            value.invalid("must not be empty if specified");
          }
          if (kind.equals("strings")) {
            value.items().forEach(FieldChecks.maxBytes(MOST_VALUE_BYTES)::check);
          } else if (kind.equals("versions")) {
            value.items().forEach(SliceDevices::version);
          }
        }
        default -> {}
      }
    }
    if (given != 1) {
      attribute.invalid(
          given == 0 ? Json.of("") : attribute.object(), "exactly one value must be specified");
    }
  }

  private static void version(FieldCursor version) {
    if (!isSemantic(version.text())) {
      version.invalid("must be a string compatible with semver.org spec 2.0.0");
    }
    FieldChecks.maxBytes(MOST_VALUE_BYTES).check(version);
  }

  /**
   * Whether the text is a semantic version: three numbers, an optional pre-release after a dash and
   * build after a plus.
   */
  private static boolean isSemantic(String version) {
    int plus = version.indexOf('+');
    var release = plus < 0 ? version : version.substring(0, plus);
    int dash = release.indexOf('-');
    var core = dash < 0 ? release : release.substring(0, dash);
    return core.chars().filter(c -> c == '.').count() == 2
        && consistsOf(NUMBER, core)
        && (dash < 0 || consistsOf(PRE_RELEASE, release.substring(dash + 1)))
        && (plus < 0 || consistsOf(IDENTIFIER, version.substring(plus + 1)));
  }

  private static boolean consistsOf(Pattern part, String dotted) {
    for (var text : dotted.split("\\.", -1)) {
      if (!part.matcher(text).matches()) {
        return false;
      }
    }
    return true;
  }

  /** Validates taints that are new to the device of that name. */
  private static void taints(FieldCursor device) {
    var taints = device.at("taints");
    var name = device.at("name").text();
    for (var old : device.parent().before().array().objects()) {
      if (old.string("name").equals(name) && old.array("taints").equals(taints.array())) {
        return;
      }
    }
    DeviceLists.list(taints, MOST_TAINTS, Taints::taint);
  }

  /** A counter set, or a device's consumption of one. */
  static void counters(FieldCursor set, String nameField) {
    var name = set.at(nameField);
    if (name.isEmpty()) {
      name.required("");
    } else {
      DeviceNames.label(name);
    }
    var counters = set.at("counters");
    if (counters.isEmpty()) {
      counters.required("");
    } else if (counters.object().size() > MOST_COUNTERS) {
      counters.report(FieldError.tooMany(counters.path(), counters.object().size(), MOST_COUNTERS));
    } else {
      for (var key : counters.object().keys()) {
        counters.with(Json.of(key)).invalidEach(Names.dnsLabel(key));
      }
    }
  }

  private static void nodes(FieldCursor device) {
    var given = new ArrayList<String>();
    var name = device.at("nodeName");
    if (name.isPresent() && name.isEmpty()) {
      name.invalid("must not be empty");
    } else if (name.isPresent()) {
      given.add("`nodeName`");
      name.invalidEach(Names.dnsSubdomain(name.text()));
    }
    if (device.has("nodeSelector")) {
      given.add("`nodeSelector`");
      NodeSelectors.selector(device.at("nodeSelector"));
    }
    if (device.at("allNodes").isTrue()) {
      given.add("`allNodes`");
    } else if (device.has("allNodes")) {
      device.at("allNodes").invalid("must be either unset or set to true");
    }
    if (given.isEmpty()) {
      device.required(ONE_PLACE);
    } else if (given.size() > 1) {
      device.invalid(Json.of("{" + String.join(", ", given) + "}"), ONE_PLACE);
    }
  }
}
