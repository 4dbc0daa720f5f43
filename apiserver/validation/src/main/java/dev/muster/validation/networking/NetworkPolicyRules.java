package dev.muster.validation.networking;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.withoutEmpty;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The strategy of NetworkPolicies. */
public final class NetworkPolicyRules {
  private static final Default PORTS = Default.each("ports", absent("protocol", "TCP"));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(EmptyFields.ALL.under("spec"))
          .defaults(
              make(
                  "spec",
                  Default.each("ingress", PORTS),
                  Default.each("egress", PORTS),
                  withoutEmpty("policyTypes"),
                  computed("policyTypes", NetworkPolicyRules::types)))
          .generation()
          .create(
              namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", NetworkPolicyRules::spec))
          .update(metadataUpdate(), field("spec", NetworkPolicyRules::spec))
          .warnings(NetworkPolicyRules::warnings)
          .build();

  private NetworkPolicyRules() {}

  private static JsonArray types(JsonObject spec) {
    return spec.array("egress").isEmpty()
        ? JsonArray.of(Json.of("Ingress"))
        : JsonArray.of(Json.of("Ingress"), Json.of("Egress"));
  }

  /**
   * The parts of the stored policy that decide what is validated.
   *
   * @param ranges CIDRs that need no validation
   * @param values whether selector values must be valid label values
   */
  private record Before(Set<String> ranges, boolean values) {
    static Before of(FieldCursor spec) {
      var errors = new ArrayList<FieldError>();
      var selector = spec.at("podSelector");
      LabelRules.selector(selector.object(), selector.path(), errors);
      var ranges = new HashSet<String>();
      for (var block : blocks(spec)) {
        ranges.add(block.at("cidr").text());
        ranges.addAll(block.at("except").array().strings());
      }
      return new Before(ranges, errors.isEmpty());
    }
  }

  private static List<FieldCursor> blocks(FieldCursor spec) {
    var found = new ArrayList<FieldCursor>();
    spec.at("ingress").items().forEach(rule -> found.addAll(rule.at("from").items()));
    spec.at("egress").items().forEach(rule -> found.addAll(rule.at("to").items()));
    return found.stream().map(peer -> peer.at("ipBlock")).filter(FieldCursor::isPresent).toList();
  }

  private static void spec(FieldCursor spec) {
    var before = Before.of(spec.before());
    selector(spec.at("podSelector"), before);
    spec.at("ingress").items().forEach(rule -> rule(rule, "from", before));
    spec.at("egress").items().forEach(rule -> rule(rule, "to", before));
    var types = spec.at("policyTypes");
    if (types.array().size() > 2) {
      types.invalid("may not specify more than two policyTypes");
    } else {
      Rule known = oneOf("Ingress", "Egress");
      types.items().forEach(known::check);
    }
  }

  private static void selector(FieldCursor selector, Before before) {
    Rules.report(
        selector,
        errors -> LabelRules.selector(selector.object(), selector.path(), before.values(), errors));
  }

  private static void rule(FieldCursor rule, String side, Before before) {
    rule.at("ports").items().forEach(NetworkPolicyRules::port);
    rule.at(side).items().forEach(peer -> peer(peer, before));
  }

  private static void port(FieldCursor port) {
    oneOf("TCP", "UDP", "SCTP").check(port.at("protocol"));
    var first = port.at("port");
    var last = port.at("endPort");
    switch (first.value()) {
      case JsonInteger number -> {
        first.invalidEach(NumberRules.port(number.value()));
        if (last.isPresent()) {
          if (last.integer() < number.value()) {
            last.invalid(number, "must be greater than or equal to `port`");
          }
          last.invalidEach(NumberRules.port(last.integer()));
        }
      }
      case JsonString name -> {
        if (last.isPresent()) {
          last.invalid("may not be specified when `port` is non-numeric");
        }
        first.invalidEach(Names.portName(name.value()));
      }
      case null, default -> {
        if (last.isPresent()) {
          last.invalid("may not be specified when `port` is not specified");
        }
      }
    }
  }

  private static void peer(FieldCursor peer, Before before) {
    int count = 0;
    for (var name : List.of("podSelector", "namespaceSelector")) {
      if (peer.has(name)) {
        count++;
        selector(peer.at(name), before);
      }
    }
    if (peer.has("ipBlock")) {
      count++;
      block(peer.at("ipBlock"), before);
    }
    if (count == 0) {
      peer.required("must specify a peer");
    } else if (count > 1 && peer.has("ipBlock")) {
      peer.forbidden("may not specify both ipBlock and another peer");
    }
  }

  private static void block(FieldCursor block, Before before) {
    var range = block.at("cidr");
    if (range.isEmpty()) {
      range.required("");
      return;
    }
    range(range, before);
    var whole = Cidr.parseLegacy(range.text());
    if (whole == null) {
      return;
    }
    for (var except : block.at("except").items()) {
      range(except, before);
      var part = Cidr.parseLegacy(except.text());
      if (part != null && (!whole.contains(part) || whole.prefix() == part.prefix())) {
        except.invalid("must be a strict subset of `cidr`");
      }
    }
  }

  private static void range(FieldCursor range, Before before) {
    Rules.report(
        range,
        errors -> IpRules.strictLegacyCidr(range.path(), range.text(), before.ranges(), errors));
  }

  private static void warnings(FieldCursor policy) {
    for (var block : blocks(policy.at("spec"))) {
      var range = block.at("cidr");
      IpRules.cidrWarnings(range.path(), range.text()).forEach(policy::warn);
      for (var except : block.at("except").items()) {
        IpRules.cidrWarnings(except.path(), except.text()).forEach(policy::warn);
      }
    }
  }
}
