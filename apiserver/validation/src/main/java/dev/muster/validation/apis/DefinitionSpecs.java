package dev.muster.validation.apis;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.WebhookClients;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates the spec of a definition in the form of {@link DefinitionForm}. */
final class DefinitionSpecs {
  private static final List<String> SCOPES = List.of("Cluster", "Namespaced");
  private static final List<String> STRATEGIES = List.of("None", "Webhook");
  private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");
  private static final Set<String> COLUMN_TYPES =
      Set.of("integer", "number", "string", "boolean", "date");
  private static final Set<String> COLUMN_FORMATS =
      Set.of("int32", "int64", "float", "double", "byte", "date", "date-time", "password");
  private static final String TYPES = "must be one of boolean,date,integer,number,string";
  private static final String FORMATS =
      "must be one of byte,date,date-time,double,float,int32,int64,password";

  private DefinitionSpecs() {}

  static void check(FieldCursor spec) {
    group(spec.at("group"));
    choice(spec.at("scope"), SCOPES);
    boolean common = spec.at("validation").has("openAPIV3Schema");
    if (!common) {
      for (var version : spec.at("versions").items()) {
        var schema = version.at("schema", "openAPIV3Schema");
        if (schema.isAbsent()) {
          schema.required("");
        }
      }
    }
    boolean preserves = spec.at("preserveUnknownFields").isTrue();
    if (preserves && hasDefaults(spec)) {
      spec.at("preserveUnknownFields")
          .invalid("must be false in order to use defaults in the schema");
    }
    boolean perVersion = spec.at("versions").items().stream().anyMatch(v -> v.has("subresources"));
    boolean anyStatus = spec.at("subresources").has("status");
    int storage = 0;
    var names = new HashSet<String>();
    boolean unique = true;
    for (var version : spec.at("versions").items()) {
      storage += version.at("storage").isTrue() ? 1 : 0;
      unique &= names.add(version.at("name").text());
      var problems = Names.dns1035Label(version.at("name").text());
      DefinitionNames.joined(version.at("name"), "", problems);
      var subresources = perVersion ? version.at("subresources") : spec.at("subresources");
      anyStatus |= version.at("subresources").has("status");
      version(version, subresources.has("status"));
    }
    var versions = spec.at("versions");
    if (!unique) {
      versions.invalid("must contain unique version names");
    }
    if (storage != 1) {
      Json shown = versions.isAbsent() ? JsonNull.NULL : versions.array();
      versions.invalid(shown, "must have exactly one version marked as storage version");
    }
    var first = spec.at("version");
    if (!first.isEmpty()) {
      DefinitionNames.joined(first, "", Names.dns1035Label(first.text()));
    }
    DefinitionNames.required(spec.at("names"));
    DefinitionNames.check(spec.at("names"));
    SchemaRules.root(spec.at("validation"), anyStatus);
    subresources(spec.at("subresources"));
    spec.at("additionalPrinterColumns").items().forEach(DefinitionSpecs::column);
    SelectableFieldRules.check(spec.at("selectableFields"), spec.at("validation"));
    var strategy = spec.at("conversion", "strategy");
    if (preserves && spec.has("conversion") && !strategy.isText("None")) {
      strategy.invalid("must be None if spec.preserveUnknownFields is true");
    }
    conversion(spec.at("conversion"));
  }

  private static boolean hasDefaults(FieldCursor spec) {
    var schemas = new ArrayList<JsonObject>();
    schemas.add(spec.at("validation", "openAPIV3Schema").object());
    for (var version : spec.at("versions").items()) {
      schemas.add(version.at("schema", "openAPIV3Schema").object());
    }
    return schemas.stream()
        .anyMatch(schema -> SchemaTree.any(schema, part -> SchemaTree.isSet(part, "default")));
  }

  private static void group(FieldCursor group) {
    if (group.isEmpty()) {
      group.required("");
      return;
    }
    var problems = Names.dnsSubdomain(group.text());
    DefinitionNames.joined(group, "", problems);
    if (problems.isEmpty() && group.text().indexOf('.') < 0) {
      group.invalid("should be a domain with at least one dot");
    }
  }

  private static void choice(FieldCursor place, List<String> supported) {
    if (place.isEmpty()) {
      place.required("");
    } else if (!supported.contains(place.text())) {
      place.notSupported(supported);
    }
  }

  private static void version(FieldCursor version, boolean status) {
    deprecation(version);
    SchemaRules.root(version.at("schema"), status);
    subresources(version.at("subresources"));
    version.at("additionalPrinterColumns").items().forEach(DefinitionSpecs::column);
    SelectableFieldRules.check(version.at("selectableFields"), version.at("schema"));
  }

  private static void deprecation(FieldCursor version) {
    var warning = version.at("deprecationWarning");
    if (warning.isAbsent()) {
      return;
    }
    if (!version.at("deprecated").isTrue()) {
      warning.invalid("can only be set for deprecated versions");
      return;
    }
    var text = warning.text();
    if (GoText.bytes(text) > 256) {
      warning.invalid("must be <= 256 characters long");
    }
    if (text.isEmpty()) {
      warning.invalid("must not be an empty string");
    }
    int at = 0;
    for (int point : text.codePoints().toArray()) {
      if (!GoText.isPrint(point)) {
        warning.invalid(
            "must only contain printable UTF-8 characters; non-printable character found at index "
                + at);
        return;
      }
      at += GoText.bytes(Character.toString(point));
    }
  }

  private static void subresources(FieldCursor subresources) {
    var scale = subresources.at("scale");
    if (scale.isAbsent()) {
      return;
    }
    scalePath(scale.at("specReplicasPath"), ".spec.");
    scalePath(scale.at("statusReplicasPath"), ".status.");
    var selector = scale.at("labelSelectorPath");
    if (!selector.isEmpty()
        && simplePath(selector)
        && !selector.text().startsWith(".spec.")
        && !selector.text().startsWith(".status.")) {
      selector.invalid("should be a json path under either .spec or .status");
    }
  }

  private static void scalePath(FieldCursor path, String below) {
    if (path.isEmpty()) {
      path.required("");
    } else if (simplePath(path) && !path.text().startsWith(below)) {
      path.invalid("should be a json path under " + below.substring(0, below.length() - 1));
    }
  }

  private static boolean simplePath(FieldCursor path) {
    boolean simple = path.text().startsWith(".");
    if (!simple) {
      path.invalid("must be a simple json path starting with .");
    }
    return simple;
  }

  private static void column(FieldCursor column) {
    if (column.at("name").isEmpty()) {
      column.at("name").required("");
    }
    var type = column.at("type");
    if (type.isEmpty()) {
      type.required(TYPES);
    } else if (!COLUMN_TYPES.contains(type.text())) {
      type.invalid(TYPES);
    }
    var format = column.at("format");
    if (!format.isEmpty() && !COLUMN_FORMATS.contains(format.text())) {
      format.invalid(FORMATS);
    }
    var path = column.at("JSONPath");
    if (path.isEmpty()) {
      path.required("");
    } else {
      simplePath(path);
    }
  }

  private static void conversion(FieldCursor conversion) {
    if (conversion.isAbsent()) {
      return;
    }
    var strategy = conversion.at("strategy");
    choice(strategy, STRATEGIES);
    var client = conversion.at("webhookClientConfig");
    var versions = conversion.at("conversionReviewVersions");
    if (strategy.isText("Webhook")) {
      client(client);
      reviewVersions(versions);
      return;
    }
    var unused = "should not be set when strategy is not set to Webhook";
    if (client.isPresent()) {
      client.forbidden(unused);
    }
    if (!versions.isEmpty()) {
      versions.forbidden(unused);
    }
  }

  private static void client(FieldCursor client) {
    if (client.isAbsent()) {
      client.required("required when strategy is set to Webhook");
    } else if (client.has("url") == client.has("service")) {
      client.required("exactly one of url or service is required");
    } else if (client.has("url")) {
      WebhookClients.url(client.at("url"));
    } else {
      WebhookClients.service(client.at("service"));
    }
  }

  private static void reviewVersions(FieldCursor versions) {
    if (versions.isEmpty()) {
      versions.required("");
      return;
    }
    var seen = new HashSet<String>();
    for (var version : versions.items()) {
      if (!seen.add(version.text())) {
        version.invalid("duplicate version");
      } else {
        version.invalidEach(Names.dns1035Label(version.text()));
      }
    }
    var before = versions.before().array().strings();
    boolean strict = before.isEmpty() || before.stream().anyMatch(REVIEW_VERSIONS::contains);
    if (strict && REVIEW_VERSIONS.stream().noneMatch(seen::contains)) {
      versions.invalid("must include at least one of " + String.join(", ", REVIEW_VERSIONS));
    }
  }
}
