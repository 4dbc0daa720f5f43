package dev.muster.validation.admission;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.each;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.Names;
import dev.muster.validation.Default;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates which requests a webhook or policy matches: operations, resources and selectors. */
final class MatchRules {
  static final List<String> MATCH_POLICIES = List.of("Equivalent", "Exact");
  static final List<String> FAILURE_POLICIES = List.of("Fail", "Ignore");
  static final List<String> REINVOCATION = List.of("IfNeeded", "Never");
  private static final List<String> SCOPES = List.of("*", "Cluster", "Namespaced");
  private static final List<String> OPERATIONS =
      List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");
  private static final List<String> MUTATING_OPERATIONS =
      List.of("*", "CONNECT", "CREATE", "UPDATE");

  static final Default RULE_DEFAULTS = absent("scope", "*");

  /** The defaults of {@code matchConstraints} and {@code matchResources}. */
  static final Default DEFAULTS =
      Default.all(
          absent("matchPolicy", "Equivalent"),
          absent("namespaceSelector", JsonObject.EMPTY),
          absent("objectSelector", JsonObject.EMPTY),
          each("resourceRules", RULE_DEFAULTS),
          each("excludeResourceRules", RULE_DEFAULTS));

  private MatchRules() {}

  /** An optional string that must be one of these. */
  static void choice(FieldCursor place, List<String> supported) {
    if (place.isPresent() && !supported.contains(place.text())) {
      place.notSupported(supported);
    }
  }

  /** A required string that must be one of these. */
  static void requiredChoice(FieldCursor place, List<String> supported) {
    if (place.isAbsent()) {
      place.required("");
    } else {
      choice(place, supported);
    }
  }

  /** A rule with operations and resources. */
  static void rule(FieldCursor rule) {
    var operations = rule.at("operations");
    if (operations.isEmpty()) {
      operations.required("");
    }
    alone(operations, "operations");
    for (var operation : operations.items()) {
      choice(operation, OPERATIONS);
    }
    var groups = rule.at("apiGroups");
    if (groups.isEmpty()) {
      groups.required("");
    }
    alone(groups, "API groups");
    var versions = rule.at("apiVersions");
    if (versions.isEmpty()) {
      versions.required("");
    }
    alone(versions, "API versions");
    for (var version : versions.items()) {
      if (version.isEmpty()) {
        version.required("");
      }
    }
    resources(rule.at("resources"));
    choice(rule.at("scope"), SCOPES);
  }

  private static void alone(FieldCursor list, String others) {
    if (list.array().size() > 1 && list.array().strings().contains("*")) {
      list.invalid("if '*' is present, must not specify other " + others);
    }
  }

  private static void resources(FieldCursor resources) {
    if (resources.isEmpty()) {
      resources.required("");
    }
    var names = resources.array().strings();
    var allOf = new HashSet<String>();
    var everywhere = new HashSet<String>();
    boolean plain = false;
    for (var item : resources.items()) {
      var text = item.text();
      int slash = text.indexOf('/');
      if (text.isEmpty()) {
        item.required("");
      } else if (slash < 0) {
        plain = !text.equals("*");
      } else {
        subresource(item, text.substring(0, slash), text.substring(slash + 1), allOf, everywhere);
      }
    }
    if (names.size() > 1 && names.contains("*/*")) {
      resources.invalid("if '*/*' is present, must not specify other resources");
    }
    if (names.contains("*") && plain) {
      resources.invalid("if '*' is present, must not specify other resources without subresources");
    }
  }

  private static void subresource(
      FieldCursor item, String resource, String part, Set<String> allOf, Set<String> everywhere) {
    if (allOf.contains(resource)) {
      item.invalid("if '" + resource + "/*' is present, must not specify " + item.text());
    }
    if (everywhere.contains(part)) {
      item.invalid("if '*/" + part + "' is present, must not specify " + item.text());
    }
    if (part.equals("*")) {
      allOf.add(resource);
    }
    if (resource.equals("*")) {
      everywhere.add(part);
    }
  }

  /** All fields of {@code matchConstraints} or {@code matchResources}. */
  static void resourcesOf(FieldCursor match) {
    if (match.isAbsent()) {
      return;
    }
    requiredChoice(match.at("matchPolicy"), MATCH_POLICIES);
    for (var name : List.of("namespaceSelector", "objectSelector")) {
      if (match.at(name).isAbsent()) {
        match.at(name).required("");
      } else {
        FieldChecks.selector().check(match.at(name));
      }
    }
    match.at("resourceRules").items().forEach(MatchRules::named);
    match.at("excludeResourceRules").items().forEach(MatchRules::named);
  }

  private static void named(FieldCursor rule) {
    var seen = new HashSet<String>();
    for (var name : rule.at("resourceNames").items()) {
      name.invalidEach(Names.pathSegment(name.text()));
      if (!seen.add(name.text())) {
        name.duplicate();
      }
    }
    rule(rule);
  }

  /** Allows only operations that can mutate an object; a deleted object cannot be mutated. */
  static void mutable(FieldCursor match) {
    var shown = match.at("resourceRules", "operations");
    for (var rule : match.at("resourceRules").items()) {
      for (var operation : rule.at("operations").items()) {
        if (!MUTATING_OPERATIONS.contains(operation.text())) {
          shown.notSupported(Json.of(operation.text()), MUTATING_OPERATIONS);
        }
      }
    }
  }
}
