package dev.muster.validation.resource;

import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.nonZero;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.Names;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import java.util.List;

/** Validates the spec of a claim: requests, constraints and configuration. */
final class ClaimSpecs {
  static final int MOST = 32;
  private static final int MOST_ALTERNATIVES = 8;
  private static final List<String> MODES = List.of("All", "ExactCount");

  static final Default TOLERATIONS = each("tolerations", value("operator", "Equal"));

  private static final Default REQUEST =
      Default.all(
          value("allocationMode", "ExactCount"),
          when(
              request -> request.string("allocationMode").equals("ExactCount"),
              nonZero("count", 1)),
          TOLERATIONS);

  static final Default DEFAULTS =
      in("devices", each("requests", in("exactly", REQUEST), each("firstAvailable", REQUEST)));

  private ClaimSpecs() {}

  static void check(FieldCursor spec) {
    var devices = spec.at("devices");
    var names = RequestNames.of(devices);
    DeviceLists.named(devices.at("requests"), MOST, ClaimSpecs::request, "name");
    DeviceLists.list(devices.at("constraints"), MOST, constraint -> constraint(constraint, names));
    DeviceLists.list(
        devices.at("config"),
        DeviceConfigs.MOST,
        config -> {
          DeviceLists.texts(config.at("requests"), MOST, names::check);
          DeviceConfigs.check(config);
        });
  }

  private static void request(FieldCursor request) {
    DeviceNames.label(request.at("name"));
    var exactly = request.at("exactly");
    var alternatives = request.at("firstAvailable");
    if (exactly.isAbsent() && alternatives.isEmpty()) {
      request.required("exactly one of `exactly` or `firstAvailable` is required");
    } else if (exactly.isPresent() && !alternatives.isEmpty()) {
      request.invalid(
          JsonNull.NULL,
          "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
    } else if (exactly.isPresent()) {
      devices(exactly);
    } else {
      DeviceLists.named(
          alternatives,
          MOST_ALTERNATIVES,
          alternative -> {
            DeviceNames.label(alternative.at("name"));
            devices(alternative);
          },
          "name");
    }
  }

  private static void devices(FieldCursor request) {
    var deviceClass = request.at("deviceClassName");
    if (deviceClass.isEmpty()) {
      deviceClass.required("");
    } else {
      deviceClass.invalidEach(Names.dnsSubdomain(deviceClass.text()));
    }
    DeviceSelectors.check(request.at("selectors"));
    var mode = request.at("allocationMode");
    var count = request.at("count");
    switch (mode.text()) {
      case "All" -> {
        if (count.integer() != 0) {
          count.invalid("must not be specified when allocationMode is 'All'");
        }
      }
      case "ExactCount" -> {
        if (count.integer() <= 0) {
          count.invalid(Json.of(count.integer()), "must be greater than zero");
        }
      }
      default -> mode.notSupported(MODES);
    }
    request.at("tolerations").items().forEach(Taints::toleration);
  }

  private static void constraint(FieldCursor constraint, RequestNames names) {
    DeviceLists.texts(constraint.at("requests"), MOST, names::check);
    if (constraint.has("matchAttribute")) {
      DeviceNames.fullyQualified(constraint.at("matchAttribute"));
    } else if (constraint.has("distinctAttribute")) {
      DeviceNames.fullyQualified(constraint.at("distinctAttribute"));
    } else {
      constraint.required(
          "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple"
              + " fields are set");
    }
  }
}
