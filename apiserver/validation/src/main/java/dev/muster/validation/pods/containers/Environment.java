package dev.muster.validation.pods.containers;

import dev.muster.model.json.Json;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Resources;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.storage.VolumeSources;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Validates environment variables of containers and their sources. */
public final class Environment {
  private static final List<String> FIELDS =
      List.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  private static final Set<String> KNOWN_FIELDS =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.restartPolicy",
          "spec.serviceAccountName",
          "spec.schedulerName",
          "status.phase",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");
  private static final List<String> RESOURCES =
      List.of(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");
  private static final Set<String> BYTES =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
  private static final String ONLY_BYTES =
      "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
          + " supported with the ";

  private Environment() {}

  static void check(FieldCursor container) {
    for (var variable : container.at("env").items()) {
      ValueChecks.required(variable.at("name"), Names::relaxedEnvironmentVariable);
      if (variable.has("valueFrom")) {
        source(variable.at("valueFrom"), !variable.at("value").isEmpty());
      }
    }
    var all = container.at("envFrom");
    for (var source : all.items()) {
      if (!source.at("prefix").isEmpty()) {
        source
            .at("prefix")
            .invalidEach(Names.relaxedEnvironmentVariable(source.at("prefix").text()));
      }
      int found = 0;
      for (var kind : List.of("configMapRef", "secretRef")) {
        if (source.has(kind)) {
          found++;
          ValueChecks.required(
              source.at(kind, "name"), name -> NameRule.DNS_SUBDOMAIN.check(name, true));
        }
      }
      if (found == 0) {
        all.invalid(Json.of(""), "must specify one of: `configMapRef` or `secretRef`");
      } else if (found > 1) {
        all.invalid(Json.of(""), "may not have more than one field specified at a time");
      }
    }
  }

  private static void source(FieldCursor source, boolean hasValue) {
    int found = 0;
    if (source.has("fieldRef")) {
      found++;
      objectField(source.at("fieldRef"), FIELDS);
    }
    if (source.has("resourceFieldRef")) {
      found++;
      resourceField(source.at("resourceFieldRef"), false);
    }
    for (var kind : List.of("configMapKeyRef", "secretKeyRef")) {
      if (source.has(kind)) {
        found++;
        var name = source.at(kind, "name");
        for (var problem : Names.dnsSubdomain(name.text())) {
          name.invalid(problem);
        }
        ValueChecks.required(source.at(kind, "key"), Names::configKey);
      }
    }
    if (source.has("fileKeyRef")) {
      found++;
      fileKey(source.at("fileKeyRef"));
    }
    if (found == 0) {
      source.invalid(
          Json.of(""),
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef`"
              + " or `fileKeyRef`");
    } else if (hasValue) {
      source.invalid(Json.of(""), "may not be specified when `value` is not empty");
    } else if (found > 1) {
      source.invalid(Json.of(""), "may not have more than one field specified at a time");
    }
  }

  private static void fileKey(FieldCursor file) {
    ValueChecks.required(file.at("key"), Names::relaxedEnvironmentVariable);
    ValueChecks.required(file.at("volumeName"), Names::dnsLabel);
    if (file.at("path").isEmpty()) {
      file.at("path").required("");
    } else {
      VolumeSources.noWayUp(file.at("path"));
    }
  }

  /** A reference to a field of the pod. */
  public static void objectField(FieldCursor selector, List<String> supported) {
    var version = selector.at("apiVersion");
    var path = selector.at("fieldPath");
    if (version.isEmpty()) {
      version.required("");
      return;
    }
    if (path.isEmpty()) {
      path.required("");
      return;
    }
    var text = path.text();
    int bracket = text.endsWith("']") ? text.substring(0, text.length() - 2).indexOf("['") : -1;
    boolean subscripted = bracket > 0;
    var field = subscripted ? text.substring(0, bracket) : text;
    var problem = unknown(version.text(), text, field, subscripted);
    if (!problem.isEmpty()) {
      path.invalid("error converting fieldPath: " + problem);
      return;
    }
    if (subscripted) {
      var key = text.substring(bracket + 2, text.length() - 2);
      key = field.equals("metadata.annotations") ? key.toLowerCase(Locale.ROOT) : key;
      for (var wrong : Names.qualifiedName(key)) {
        selector.invalid(Json.of(key), wrong);
      }
      return;
    }
    field = field.equals("spec.host") ? "spec.nodeName" : field;
    if (!supported.contains(field)) {
      path.with(Json.of(field)).notSupported(supported);
    }
  }

  private static String unknown(String version, String text, String field, boolean subscripted) {
    if (!version.equals("v1")) {
      return "unsupported pod version: " + version;
    }
    if (subscripted) {
      return field.equals("metadata.annotations") || field.equals("metadata.labels")
          ? ""
          : "field label does not support subscript: " + text;
    }
    return KNOWN_FIELDS.contains(field) || field.equals("spec.host")
        ? ""
        : "field label not supported: " + text;
  }

  /** A reference to a request or limit of a container. */
  public static void resourceField(FieldCursor selector, boolean volume) {
    var resource = selector.at("resource");
    var name = resource.text();
    if (volume && selector.at("containerName").isEmpty()) {
      selector.at("containerName").required("");
    } else if (resource.isEmpty()) {
      resource.required("");
    } else if (!RESOURCES.contains(name) && !isHugePages(name)) {
      resource.notSupported(RESOURCES);
    }
    var amount = Resources.amount(selector.at("divisor"));
    if (!amount.isZero()) {
      divisor(selector.at("divisor"), name, amount.toString());
    }
  }

  private static boolean isHugePages(String name) {
    return name.startsWith("requests.hugepages-") || name.startsWith("limits.hugepages-");
  }

  private static void divisor(FieldCursor divisor, String name, String amount) {
    var shown = Json.of(name);
    switch (name) {
      case "limits.cpu", "requests.cpu" -> {
        if (!amount.equals("1m") && !amount.equals("1")) {
          divisor.invalid(
              shown, "only divisor's values 1m and 1 are supported with the cpu resource");
        }
      }
      case "limits.memory", "requests.memory" -> bytes(divisor, shown, amount, "memory resource");
      case "limits.ephemeral-storage", "requests.ephemeral-storage" ->
          bytes(divisor, shown, amount, "local ephemeral storage resource");
      default -> {
        if (isHugePages(name)) {
          bytes(divisor, shown, amount, "hugepages resource");
        }
      }
    }
  }

  private static void bytes(FieldCursor divisor, Json shown, String amount, String what) {
    if (!BYTES.contains(amount)) {
      divisor.invalid(shown, ONLY_BYTES + what);
    }
  }
}
