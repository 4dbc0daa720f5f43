package dev.muster.validation.services;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.immutableText;
import static dev.muster.validation.FieldChecks.maxItems;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.FieldChecks.qualifiedName;
import static dev.muster.validation.FieldChecks.text;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.items;
import static dev.muster.validation.Rules.namespacedMetadata;
import static dev.muster.validation.Rules.required;
import static dev.muster.validation.Rules.steps;

import dev.muster.model.address.Ip;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.DomainNames;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Generation;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The strategy of EndpointSlices. */
public final class EndpointSliceRules {
  private static final int MOST_ADDRESSES = 100;
  private static final Set<String> CONTROLLERS =
      Set.of("endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io");

  private static final Rule PORT =
      Rule.all(
          field("protocol", oneOf(EndpointsRules.PROTOCOLS)),
          field("appProtocol", qualifiedName()));

  private static final Rule HINTS =
      steps(
          field("forZones", maxItems(8)),
          Rule.all(
              field("forZones", names(text(Names::labelValue))),
              field("forNodes", steps(maxItems(8), names(dnsSubdomain())))));

  private static final Rule ENDPOINT =
      Rule.all(
          field("nodeName", dnsSubdomain()), field("hostname", dnsLabel()), field("hints", HINTS));

  private static final Rule SLICE =
      Rule.all(
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          required("addressType", "", oneOf("FQDN", "IPv4", "IPv6")),
          field("ports", steps(maxItems(20000), EndpointSliceRules::ports)),
          EndpointSliceRules::endpoints);

  /** The strategy of {@code discovery.k8s.io} EndpointSlices. */
  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .defaults(
              Default.each(
                  "ports",
                  new Default.Computed("name", port -> port.has("name") ? null : Json.of("")),
                  absent("protocol", "TCP")))
          .prepareCreate(
              slice -> withoutTopology(slice).withAt(Json.of(1), "metadata", "generation"))
          .prepareUpdate(EndpointSliceRules::counted)
          .create(SLICE)
          .update(SLICE, field("addressType", immutableText()))
          .warnings(EndpointSliceRules::warnings)
          .build();

  private EndpointSliceRules() {}

  private static JsonObject counted(JsonObject slice, JsonObject old) {
    var kept = slice.array("endpoints").equals(old.array("endpoints"));
    boolean changed =
        !kept
            || !slice.array("ports").equals(old.array("ports"))
            || !slice.string("addressType").equals(old.string("addressType"))
            || !slice.object("metadata", "labels").equals(old.object("metadata", "labels"));
    return Generation.with(kept ? slice : withoutTopology(slice), old, changed);
  }

  /** Removes topology labels, which belong to a version that is no longer served. */
  private static JsonObject withoutTopology(JsonObject slice) {
    return slice.get("endpoints") instanceof JsonArray endpoints
        ? slice.with(
            "endpoints",
            endpoints.map(
                item ->
                    item instanceof JsonObject endpoint
                        ? endpoint.without("deprecatedTopology")
                        : item))
        : slice;
  }

  private static Rule names(Rule form) {
    return list -> {
      var seen = new HashSet<String>();
      for (var item : list.items()) {
        var name = item.at("name");
        if (!seen.add(name.text())) {
          name.duplicate();
        }
        form.check(name.isAbsent() ? name.with(Json.of("")) : name);
      }
    };
  }

  private static void ports(FieldCursor ports) {
    var seen = new HashSet<String>();
    for (var port : ports.items()) {
      var name = port.at("name");
      if (!name.isEmpty()) {
        dnsLabel().check(name);
      }
      if (!seen.add(name.text())) {
        name.duplicate();
      }
      PORT.check(port);
    }
  }

  private static void endpoints(FieldCursor slice) {
    var endpoints = slice.at("endpoints");
    var check = steps(maxItems(1000), items(endpoint -> endpoint(endpoint, slice)));
    EndpointsRules.unlessUnchanged(check).check(endpoints);
  }

  private static void endpoint(FieldCursor endpoint, FieldCursor slice) {
    var addresses = endpoint.at("addresses");
    addressCount(addresses);
    var type = slice.at("addressType").text();
    for (var address : addresses.items()) {
      switch (type) {
        case "IPv4" -> address(address, addresses, false);
        case "IPv6" -> address(address, addresses, true);
        case "FQDN" ->
            Rules.report(
                address,
                errors ->
                    DomainNames.fullyQualifiedDomainName(address.path(), address.text(), errors));
        default -> {}
      }
    }
    ENDPOINT.check(endpoint);
  }

  private static void addressCount(FieldCursor addresses) {
    if (addresses.isEmpty()) {
      addresses.required("must contain at least 1 address");
    } else {
      maxItems(MOST_ADDRESSES).check(addresses);
    }
  }

  private static void address(FieldCursor address, FieldCursor list, boolean six) {
    var errors = new ArrayList<FieldError>();
    if (six) {
      IpRules.ip(address.path(), address.text(), errors);
    } else {
      IpRules.strictLegacyIp(address.path(), address.text(), List.of(), errors);
    }
    if (!errors.isEmpty()) {
      errors.forEach(address::report);
      return;
    }
    var ip = Ip.parseLegacy(address.text());
    if (ip != null && ip.isSix() != six) {
      list.invalid(Json.of(address.text()), "must be an IPv" + (six ? 6 : 4) + " address");
    }
    EndpointsRules.routable(address);
  }

  private static void warnings(FieldCursor slice) {
    if (!slice.isUpdate() && slice.at("addressType").isText("FQDN")) {
      slice.warn("spec.addressType: FQDN endpoints are deprecated");
    }
    var manager = slice.at("metadata", "labels").entry("endpointslice.kubernetes.io/managed-by");
    if (CONTROLLERS.contains(manager.text())) {
      return;
    }
    for (var endpoint : slice.at("endpoints").items()) {
      for (var address : endpoint.at("addresses").items()) {
        IpRules.ipWarnings(address.path(), address.text()).forEach(slice::warn);
      }
    }
  }
}
