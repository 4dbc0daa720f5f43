package dev.muster.validation.apis;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.plainMetadataUpdate;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.StatusMetadata;
import java.util.Base64;
import java.util.List;

/** The strategy of APIServices, which register the server of an API group version. */
public final class ApiServiceRules {
  private static final List<String> STATES = List.of("True", "False", "Unknown");

  private static final Rule SERVICE = Rule.all(ApiServiceRules::metadata, ApiServiceRules::spec);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .defaults(in("spec", in("service", absent("port", Json.of(443)))))
          .prepareCreate(ApiServiceRules::localIsAvailable)
          .create(SERVICE)
          .update(plainMetadataUpdate(), SERVICE)
          .prepareStatusUpdate(StatusMetadata::kept)
          .statusUpdate(
              plainMetadataUpdate(),
              field("status", each("conditions", field("status", ApiServiceRules::state))))
          .refusesUnconditionalUpdate()
          .build();

  private ApiServiceRules() {}

  /** A local APIService is available without an availability check. */
  private static JsonObject localIsAvailable(JsonObject service) {
    if (service.object("spec").get("service") instanceof JsonObject) {
      return service;
    }
    var condition =
        JsonObject.of(
            "type", "Available",
            "status", "True",
            "lastTransitionTime", service.object("metadata").string("creationTimestamp"),
            "reason", "Local",
            "message", "Local APIServices are always available");
    return service.with("status", JsonObject.of("conditions", JsonArray.of(condition)));
  }

  private static void state(FieldCursor status) {
    if (!STATES.contains(status.text())) {
      status.notSupported(STATES);
    }
  }

  /** Requires the name {@code <version>.<group>}. */
  private static void metadata(FieldCursor service) {
    var wanted = service.at("spec", "version").text() + "." + service.at("spec", "group").text();
    NameRule names =
        (name, prefix) -> {
          var problems = Names.pathSegment(name);
          return !problems.isEmpty() || name.equals(wanted)
              ? problems
              : List.of("must be `spec.version+\".\"+spec.group`: " + GoText.quote(wanted));
        };
    Rules.plainMetadata(false, names).check(service);
  }

  private static void spec(FieldCursor service) {
    var spec = service.at("spec");
    var group = spec.at("group");
    var version = spec.at("version");
    if (group.isEmpty()) {
      if (!version.isText("v1")) {
        group.required("only v1 may have an empty group and it better be legacy kube");
      }
    } else {
      group.invalidEach(Names.dnsSubdomain(group.text()));
    }
    version.invalidEach(Names.dns1035Label(version.text()));
    between(spec.at("groupPriorityMinimum"), 20000);
    between(spec.at("versionPriority"), 1000);
    if (spec.at("service").isAbsent()) {
      local(spec);
    } else {
      remote(spec);
    }
  }

  private static void between(FieldCursor number, long most) {
    if (number.integer() <= 0 || number.integer() > most) {
      number.invalid(Json.of(number.integer()), "must be positive and less than " + most);
    }
  }

  private static void local(FieldCursor spec) {
    var bundle = spec.at("caBundle");
    if (!bundle.isEmpty()) {
      int bytes = Base64.getDecoder().decode(bundle.text()).length;
      bundle.invalid(Json.of(bytes + " bytes"), "local APIServices may not have a caBundle");
    }
    if (spec.at("insecureSkipTLSVerify").isTrue()) {
      spec.at("insecureSkipTLSVerify")
          .invalid("local APIServices may not have insecureSkipTLSVerify");
    }
  }

  private static void remote(FieldCursor spec) {
    var service = spec.at("service");
    for (var name : List.of("namespace", "name")) {
      if (service.at(name).isEmpty()) {
        service.at(name).required("");
      }
    }
    var port = service.at("port");
    for (var problem : NumberRules.port(port.integer())) {
      port.invalid("port is not valid: " + problem);
    }
    if (spec.at("insecureSkipTLSVerify").isTrue() && !spec.at("caBundle").isEmpty()) {
      spec.at("insecureSkipTLSVerify").invalid("may not be true if caBundle is present");
    }
  }
}
