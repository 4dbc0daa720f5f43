package dev.muster.validation.services;

import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.FieldChecks.port;
import static dev.muster.validation.FieldChecks.qualifiedName;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.items;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;
import static dev.muster.validation.Rules.required;

import dev.muster.model.address.Ip;
import dev.muster.model.json.Json;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** The strategy of Endpoints. */
public final class EndpointsRules {
  static final String[] PROTOCOLS = {"SCTP", "TCP", "UDP"};

  private static final Rule ADDRESS =
      Rule.all(
          field("ip", EndpointsRules::strictIp),
          ifSet("hostname", dnsLabel()),
          field("nodeName", dnsSubdomain()),
          field("ip", EndpointsRules::routable));

  private static final Rule PORT =
      Rule.all(
          ifSet("name", dnsLabel()),
          field("port", EndpointsRules::portNumber),
          required("protocol", "", oneOf(PROTOCOLS)),
          field("appProtocol", qualifiedName()));

  private static final Rule SUBSET =
      Rule.all(
          subset -> {
            if (subset.at("addresses").isEmpty() && subset.at("notReadyAddresses").isEmpty()) {
              subset.required("must specify `addresses` or `notReadyAddresses`");
            }
          },
          each("addresses", ADDRESS),
          each("notReadyAddresses", ADDRESS),
          subset -> {
            // If there are several ports, each needs a name.
            boolean named = subset.at("ports").array().size() > 1;
            for (var port : subset.at("ports").items()) {
              if (named && port.at("name").isEmpty()) {
                port.at("name").required("");
              }
              PORT.check(port);
            }
          });

  private static final Rule ENDPOINTS =
      Rule.all(
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          field("subsets", unlessUnchanged(items(SUBSET))));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .defaults(Default.each("subsets", Default.each("ports", value("protocol", "TCP"))))
          .create(ENDPOINTS)
          .update(metadataUpdate(), ENDPOINTS)
          .warnings(EndpointsRules::warnings)
          .createsOnUpdate()
          .build();

  private EndpointsRules() {}

  /** Accepts a value that is already stored. */
  static Rule unlessUnchanged(Rule rule) {
    return place -> {
      if (!place.isUpdate() || place.isChanged()) {
        rule.check(place);
      }
    };
  }

  private static void strictIp(FieldCursor ip) {
    Rules.report(ip, errors -> IpRules.strictLegacyIp(ip.path(), ip.text(), List.of(), errors));
  }

  private static void portNumber(FieldCursor port) {
    port().check(port.isAbsent() ? port.with(Json.of(0)) : port);
  }

  /** Requires an address that is not loopback, link-local or the like. */
  static void routable(FieldCursor place) {
    var ip = Ip.parseLegacy(place.text());
    if (ip == null) {
      place.invalid("must be a valid IP address");
      return;
    }
    if (ip.isUnspecified()) {
      place.invalid("may not be unspecified (" + place.text() + ")");
    }
    if (ip.isLoopback()) {
      place.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if (ip.isLinkLocalUnicast()) {
      place.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if (ip.isLinkLocalMulticast()) {
      place.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
  }

  private static void warnings(FieldCursor endpoints) {
    var manager = endpoints.at("metadata", "labels").entry("endpoints.kubernetes.io/managed-by");
    if (manager.isText("endpoint-controller")) {
      return;
    }
    for (var subset : endpoints.at("subsets").items()) {
      for (var field : List.of("addresses", "notReadyAddresses")) {
        for (var address : subset.at(field).items()) {
          var ip = address.at("ip");
          IpRules.ipWarnings(ip.path(), ip.text()).forEach(ip::warn);
        }
      }
    }
  }
}
