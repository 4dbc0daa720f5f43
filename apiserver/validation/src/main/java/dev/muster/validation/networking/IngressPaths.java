package dev.muster.validation.networking;

import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.Rules.required;

import dev.muster.model.json.Json;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.validation.FieldCursor;
import java.util.List;

/** Validates the paths of an Ingress and their backends. */
final class IngressPaths {
  private static final List<String> FORBIDDEN_INSIDE = List.of("//", "/./", "/../", "%2f", "%2F");
  private static final List<String> FORBIDDEN_AT_THE_END = List.of("/..", "/.");
  private static final Json NOTHING = Json.of("");

  private IngressPaths() {}

  static void path(FieldCursor path) {
    var type = path.at("pathType");
    if (type.isAbsent()) {
      type.required("pathType must be specified");
      return;
    }
    switch (type.text()) {
      case "Exact", "Prefix" -> {
        absolute(path.at("path"));
        plain(path.at("path"));
      }
      case "ImplementationSpecific" -> {
        if (!path.at("path").isEmpty()) {
          absolute(path.at("path"));
        }
      }
      default -> type.notSupported(List.of("Exact", "ImplementationSpecific", "Prefix"));
    }
    backend(path.at("backend"));
  }

  private static void absolute(FieldCursor path) {
    if (!path.text().startsWith("/")) {
      path.invalid("must be an absolute path");
    }
  }

  private static void plain(FieldCursor path) {
    for (var part : FORBIDDEN_INSIDE) {
      if (path.text().contains(part)) {
        path.invalid("must not contain '" + part + "'");
      }
    }
    for (var end : FORBIDDEN_AT_THE_END) {
      if (path.text().endsWith(end)) {
        path.invalid("cannot end with '" + end + "'");
      }
    }
  }

  /** A backend: a Service port, or an object of any kind. */
  static void backend(FieldCursor backend) {
    boolean resource = backend.has("resource");
    boolean service = backend.has("service");
    if (resource && service) {
      backend.invalid(NOTHING, "cannot set both resource and service backends");
    } else if (resource) {
      IngressClassRules.REFERENCE.check(backend.at("resource"));
    } else if (service) {
      required("name", "", dnsLabel()).check(backend.at("service"));
      port(backend, backend.at("service", "port"));
    } else {
      backend.invalid(NOTHING, "resource or service backend is required");
    }
  }

  private static void port(FieldCursor backend, FieldCursor port) {
    var name = port.at("name");
    var number = port.at("number");
    boolean numbered = number.integer() != 0;
    if (!name.isEmpty() && numbered) {
      backend.invalid(NOTHING, "cannot set both port name & port number");
    } else if (!name.isEmpty()) {
      name.invalidEach(Names.portName(name.text()));
    } else if (numbered) {
      number.invalidEach(NumberRules.port(number.integer()));
    } else {
      backend.required("port name or number is required");
    }
  }
}
