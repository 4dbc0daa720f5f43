package dev.muster.validation.fleet;

import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.StatusMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/**
 * The strategy of StorageVersions: each server has one entry and can decode what it encodes and
 * serves; the common encoding version is the one that all entries share.
 */
public final class StorageVersionRules {
  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .create(
              clusterMetadata(StorageVersionRules::name),
              field("status", StorageVersionRules::status))
          .update()
          .prepareStatusUpdate(StatusMetadata::kept)
          .statusUpdate(field("status", StorageVersionRules::status))
          .refusesUnconditionalUpdate()
          .build();

  private StorageVersionRules() {}

  private static List<String> name(String name, boolean prefix) {
    int dot = name.lastIndexOf('.');
    if (dot < 0) {
      return List.of("name must be in the form of <group>.<resource>");
    }
    var problems = new ArrayList<String>();
    Names.dnsSubdomain(name.substring(0, dot))
        .forEach(problem -> problems.add("the group segment " + problem));
    Names.dns1035Label(name.substring(dot + 1))
        .forEach(problem -> problems.add("the resource segment " + problem));
    return problems;
  }

  private static void status(FieldCursor status) {
    var servers = new HashSet<String>();
    for (var entry : status.at("storageVersions").items()) {
      var server = entry.at("apiServerID");
      if (!servers.add(server.text())) {
        server.duplicate();
      }
      entry(entry);
    }
    commonVersion(status);
    conditions(status);
  }

  private static void entry(FieldCursor entry) {
    var server = entry.at("apiServerID");
    server.invalidEach(Names.dnsSubdomain(server.text()));
    var encoding = entry.at("encodingVersion");
    apiVersion(encoding);
    var decodable = entry.at("decodableVersions");
    decodable.items().forEach(StorageVersionRules::apiVersion);
    var readable = decodable.array().strings();
    if (!readable.contains(encoding.text())) {
      decodable.invalid(
          decodable.value() == null ? JsonNull.NULL : decodable.value(),
          "decodableVersions must include encodingVersion " + encoding.text());
    }
    for (var served : entry.at("servedVersions").items()) {
      apiVersion(served);
      if (!readable.contains(served.text())) {
        served.invalid(
            "individual served version : %s must be included in decodableVersions : %s"
                .formatted(served.text(), "[" + String.join(" ", readable) + "]"));
      }
    }
  }

  private static void apiVersion(FieldCursor place) {
    var problems = apiVersion(place.text());
    if (!problems.isEmpty()) {
      place.invalid(Json.of(place.text()), String.join(",", problems));
    }
  }

  private static List<String> apiVersion(String version) {
    var parts = version.split("/", -1);
    if (parts.length > 2) {
      return List.of(
          "an apiVersion is "
              + Names.pattern(
                  "a DNS-1035 label, which must consist of lower case alphanumeric characters or"
                      + " '-', start with an alphabetic character, and end with an alphanumeric"
                      + " character",
                  "[a-z]([-a-z0-9]*[a-z0-9])?",
                  "my-name",
                  "abc-123")
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')");
    }
    var problems = new ArrayList<String>();
    if (parts.length == 2) {
      (parts[0].isEmpty() ? List.of("must be non-empty") : Names.dnsSubdomain(parts[0]))
          .forEach(problem -> problems.add("group part: " + problem));
    }
    var last = parts[parts.length - 1];
    (last.isEmpty() ? List.of("must be non-empty") : Names.dns1035Label(last))
        .forEach(problem -> problems.add("version part: " + problem));
    return problems;
  }

  private static void commonVersion(FieldCursor status) {
    var versions =
        status.at("storageVersions").items().stream()
            .map(entry -> entry.at("encodingVersion").text())
            .distinct()
            .toList();
    var common = status.at("commonEncodingVersion");
    if (versions.size() != 1) {
      if (common.isPresent()) {
        common.invalid(
            "should be nil if servers do not agree on the same encoding version, or if there is no"
                + " server reporting the supported versions yet");
      }
    } else if (common.isAbsent()) {
      common.invalid(JsonNull.NULL, "the common encoding version is " + versions.getFirst());
    } else if (!common.isText(versions.getFirst())) {
      common.invalid("the actual common encoding version is " + versions.getFirst());
    }
  }

  private static void conditions(FieldCursor status) {
    var seen = new HashMap<String, Integer>();
    int index = 0;
    for (var condition : status.at("conditions").items()) {
      var type = condition.at("type");
      var earlier = seen.put(type.text(), index++);
      if (earlier != null) {
        type.invalid(
            "the type of the condition is not unique, it also appears in conditions[%d]"
                .formatted(earlier));
      }
      type.invalidEach(Names.qualifiedName(type.text()));
      var value = condition.at("status");
      value.invalidEach(Names.qualifiedName(value.text()));
      for (var text : List.of("reason", "message")) {
        if (condition.at(text).isEmpty()) {
          condition.at(text).required("");
        }
      }
    }
  }
}
