package dev.muster.validation.services;

import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.FieldChecks.qualifiedName;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.required;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import java.util.HashSet;
import java.util.Set;

/** Validates the ports of a Service. */
final class ServicePorts {
  private static final Rule PORT =
      Rule.all(
          field("port", port -> number(port, port.integer())),
          required("protocol", "", oneOf(EndpointsRules.PROTOCOLS)),
          field("targetPort", ServicePorts::numberOrName),
          field("appProtocol", qualifiedName()));

  /** Names, numbers and protocols. */
  static final Rule FORM =
      field(
          "ports",
          ports -> {
            boolean named = ports.array().size() > 1;
            var names = new HashSet<String>();
            for (var port : ports.items()) {
              name(port.at("name"), named, names);
              PORT.check(port);
            }
          });

  /** Refuses node ports of ClusterIP Services, and duplicates. */
  static final Rule NODE_PORTS =
      Rule.all(
          spec -> {
            if (spec.at("type").isText("ClusterIP")) {
              each(
                      "ports",
                      port -> {
                        if (port.at("nodePort").integer() != 0) {
                          port.at("nodePort")
                              .forbidden("may not be used when `type` is 'ClusterIP'");
                        }
                      })
                  .check(spec);
            }
          },
          spec -> {
            var seen = new HashSet<JsonObject>();
            for (var port : spec.at("ports").items()) {
              if (port.at("nodePort").integer() != 0 && !seen.add(key(port, "nodePort"))) {
                port.at("nodePort").duplicate();
              }
            }
          });

  /** Refuses ports with the same number and protocol. */
  static final Rule UNIQUE =
      spec -> {
        var seen = new HashSet<JsonObject>();
        for (var port : spec.at("ports").items()) {
          if (!seen.add(key(port, "port"))) {
            port.with(key(port, "port")).duplicate();
          }
        }
      };

  private ServicePorts() {}

  private static JsonObject key(FieldCursor port, String number) {
    return JsonObject.of("protocol", port.at("protocol").text(), number, port.at(number).integer());
  }

  private static void name(FieldCursor name, boolean required, Set<String> names) {
    if (name.isEmpty()) {
      if (required) {
        name.required("");
      }
      return;
    }
    dnsLabel().check(name);
    if (!names.add(name.text())) {
      name.duplicate();
    }
  }

  /** A target port: a number or the name of a container's port. */
  static void numberOrName(FieldCursor port) {
    switch (port.value()) {
      case JsonString name -> port.invalidEach(Names.portName(name.value()));
      case JsonInteger number -> number(port, number.value());
      case null, default -> number(port, 0);
    }
  }

  private static void number(FieldCursor port, long number) {
    for (var problem : NumberRules.port(number)) {
      port.invalid(Json.of(number), problem);
    }
  }
}
