package dev.muster.validation.resource;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.IpRules;
import dev.muster.validation.Conditions;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.NodeSelectors;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates the status of a claim: allocation, consumers and device status. */
final class ClaimStatus {
  private static final int MOST_USERS = 256;
  private static final int MOST_CONDITIONS = 8;
  private static final int MOST_ADDRESSES = 16;
  private static final List<String> SOURCES = List.of("FromClaim", "FromClass");

  private ClaimStatus() {}

  /** A device, or a share of one. */
  private static JsonObject device(JsonObject of) {
    return JsonObject.of(
        "Driver", of.string("driver"),
        "Pool", of.string("pool"),
        "Device", of.string("device"),
        "ShareID", of.string("shareID"));
  }

  private static Set<Json> allocated(JsonObject claim) {
    var found = new HashSet<Json>();
    for (var result : claim.object("status", "allocation", "devices").array("results").objects()) {
      found.add(device(result));
    }
    return found;
  }

  /** Removes the status of devices that the claim has just lost. */
  static JsonObject withoutLostDevices(JsonObject claim, JsonObject old) {
    var lost = allocated(old);
    lost.removeAll(allocated(claim));
    if (!(claim.object("status").get("devices") instanceof JsonArray devices)) {
      return claim;
    }
    var kept = new ArrayList<Json>();
    for (var device : devices) {
      if (!(device instanceof JsonObject object) || !lost.contains(device(object))) {
        kept.add(device);
      }
    }
    return kept.isEmpty()
        ? claim.withoutAt("status", "devices")
        : kept.size() == devices.size()
            ? claim
            : claim.withAt(JsonArray.of(kept), "status", "devices");
  }

  static void check(FieldCursor claim) {
    var status = claim.at("status");
    var users = status.at("reservedFor");
    var allocation = status.at("allocation");
    DeviceLists.named(users, MOST_USERS, ClaimStatus::user, "uid");
    var allocated = allocated(claim.object());
    DeviceLists.set(
        status.at("devices"),
        DeviceLists.NO_LIMIT,
        device -> deviceStatus(device, allocated),
        device -> device(device.object()));
    if (!users.isEmpty()) {
      if (allocation.isAbsent()) {
        users.forbidden("may not be specified when `allocated` is not set");
      } else if (claim.at("metadata").has("deletionTimestamp")
          && !Set.copyOf(users.before().array().asList()).containsAll(users.array().asList())) {
        users.forbidden(
            "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are"
                + " set");
      }
    }
    if (allocation.isAbsent()) {
      return;
    }
    if (allocation.before().isPresent()) {
      allocation.immutable();
    } else {
      allocation(allocation, RequestNames.of(claim.at("spec", "devices")));
    }
  }

  private static void user(FieldCursor user) {
    for (var field : List.of("resource", "name", "uid")) {
      if (user.at(field).isEmpty()) {
        user.at(field).required("");
      }
    }
  }

  private static void allocation(FieldCursor allocation, RequestNames names) {
    var devices = allocation.at("devices");
    DeviceLists.list(
        devices.at("results"),
        ClaimSpecs.MOST,
        result -> {
          names.check(result.at("request").isAbsent() ? blank(result) : result.at("request"));
          DeviceNames.driver(result.at("driver"));
          DeviceNames.pool(result.at("pool"));
          DeviceNames.label(result.at("device"));
          BindingConditions.check(result);
          if (result.has("shareID")) {
            DeviceNames.share(result.at("shareID"));
          }
        });
    DeviceLists.list(
        devices.at("config"),
        2 * DeviceConfigs.MOST,
        config -> {
          var source = config.at("source");
          if (source.isEmpty()) {
            source.required("");
          } else if (!SOURCES.contains(source.text())) {
            source.notSupported(SOURCES);
          }
          DeviceLists.texts(config.at("requests"), ClaimSpecs.MOST, names::check);
          DeviceConfigs.check(config);
        });
    if (allocation.has("nodeSelector")) {
      NodeSelectors.selector(allocation.at("nodeSelector"));
    }
  }

  private static FieldCursor blank(FieldCursor result) {
    return result.at("request").with(Json.of(""));
  }

  private static void deviceStatus(FieldCursor device, Set<Json> allocated) {
    DeviceNames.driver(device.at("driver"));
    DeviceNames.pool(device.at("pool"));
    DeviceNames.label(device.at("device"));
    if (device.has("shareID")) {
      DeviceNames.share(device.at("shareID"));
    }
    var identity = device(device.object());
    if (!allocated.contains(identity)) {
      device.invalid(identity, "must be an allocated device in the claim");
    }
    FieldChecks.maxItems(MOST_CONDITIONS).check(device.at("conditions"));
    Conditions.check(device.at("conditions"));
    if (device.has("data")) {
      DeviceConfigs.object(device.at("data"), true);
    }
    var network = device.at("networkData");
    FieldChecks.maxBytes(256).check(network.at("interfaceName"));
    FieldChecks.maxBytes(128).check(network.at("hardwareAddress"));
    DeviceLists.texts(
        network.at("ips"),
        MOST_ADDRESSES,
        address ->
            Rules.report(
                address,
                errors -> IpRules.interfaceAddress(address.path(), address.text(), errors)));
  }
}
