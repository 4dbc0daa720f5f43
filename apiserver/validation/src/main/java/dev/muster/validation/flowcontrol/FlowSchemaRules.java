package dev.muster.validation.flowcontrol;

import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.nonZero;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.each;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.required;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldChecks;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.util.List;
import java.util.Set;

/** The strategy of FlowSchemas. */
public final class FlowSchemaRules {
  private static final long LAST = 10000;
  private static final List<String> DISTINGUISHERS = List.of("ByNamespace", "ByUser");
  private static final List<String> SUBJECTS = List.of("Group", "ServiceAccount", "User");
  private static final List<String> VERBS =
      List.of(
          "create",
          "delete",
          "deletecollection",
          "get",
          "list",
          "patch",
          "proxy",
          "update",
          "watch");

  private static final Rule VERB_LIST = field("verbs", FlowSchemaRules::verbs);

  private static final Rule RESOURCE_RULE =
      Rule.all(
          VERB_LIST,
          field(
              "apiGroups", list("resource rules must supply at least one api group", "api groups")),
          field("resources", list("resource rules must supply at least one resource", "resources")),
          FlowSchemaRules::namespaces);

  private static final Rule PATH_RULE =
      Rule.all(VERB_LIST, field("nonResourceURLs", FlowSchemaRules::paths));

  private static final Rule SPEC =
      Rule.all(
          FlowSchemaRules::precedence,
          field("distinguisherMethod", FlowSchemaRules::distinguisher),
          required(
              "priorityLevelConfiguration.name",
              "must reference a priority level",
              FieldChecks.dnsSubdomain()),
          each("rules", FlowSchemaRules::rule));

  private static final Rule SCHEMA =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          field("spec", SPEC),
          MandatoryFlows::schema,
          field("status", FlowRules::conditions));

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .status()
          .generation()
          .defaults(make("spec", nonZero("matchingPrecedence", 1000)))
          .create(SCHEMA)
          .update(SCHEMA)
          .prepareStatusUpdate(FlowRules::withOldMetadata)
          .statusUpdate(field("status", FlowRules::conditions))
          .build();

  private FlowSchemaRules() {}

  private static void precedence(FieldCursor spec) {
    var place = spec.at("matchingPrecedence");
    long precedence = place.integer();
    if (precedence <= 0) {
      place.invalid(Json.of(precedence), "must be a positive value");
    }
    if (precedence > LAST) {
      place.invalid("must not be greater than " + LAST);
    }
    if (precedence == 1 && !spec.root().at("metadata", "name").isText("exempt")) {
      place.invalid("only the schema named 'exempt' may have matchingPrecedence 1");
    }
  }

  private static void distinguisher(FieldCursor method) {
    var type = method.at("type");
    if (method.isPresent() && !DISTINGUISHERS.contains(type.text())) {
      type.notSupported(JsonObject.of("Type", type.text()), DISTINGUISHERS);
    }
  }

  private static void rule(FieldCursor rule) {
    var subjects = rule.at("subjects");
    if (subjects.isEmpty()) {
      subjects.required("subjects must contain at least one value");
    }
    subjects.items().forEach(FlowSchemaRules::subject);
    if (rule.at("resourceRules").isEmpty() && rule.at("nonResourceRules").isEmpty()) {
      rule.required("at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    rule.at("resourceRules").items().forEach(RESOURCE_RULE::check);
    rule.at("nonResourceRules").items().forEach(PATH_RULE::check);
  }

  private static void subject(FieldCursor subject) {
    var kind = subject.at("kind");
    switch (kind.text()) {
      case "ServiceAccount" -> {
        serviceAccount(subject.at("serviceAccount"));
        others(subject, "user", "group");
      }
      case "User" -> {
        named(subject, "user");
        others(subject, "serviceAccount", "group");
      }
      case "Group" -> {
        named(subject, "group");
        others(subject, "serviceAccount", "user");
      }
      default -> kind.notSupported(SUBJECTS);
    }
  }

  private static void others(FieldCursor subject, String... fields) {
    for (var name : fields) {
      if (subject.has(name)) {
        subject
            .at(name)
            .forbidden(name + " is forbidden when subject kind is not '" + kind(name) + "'");
      }
    }
  }

  private static String kind(String field) {
    return Character.toUpperCase(field.charAt(0)) + field.substring(1);
  }

  private static void named(FieldCursor subject, String field) {
    var place = subject.at(field);
    if (place.isAbsent()) {
      place.required(field + " is required when subject kind is '" + kind(field) + "'");
    } else if (place.at("name").isEmpty()) {
      place.at("name").required("");
    }
  }

  private static void serviceAccount(FieldCursor account) {
    if (account.isAbsent()) {
      account.required("serviceAccount is required when subject kind is 'ServiceAccount'");
      return;
    }
    var name = account.at("name");
    if (name.isEmpty()) {
      name.required("");
    } else if (!name.isText("*")) {
      name.invalidEach(Names.dnsSubdomain(name.text()));
    }
    var namespace = account.at("namespace");
    if (namespace.isEmpty()) {
      namespace.required("must specify namespace for service account");
    } else {
      namespace.invalidEach(Names.dnsLabel(namespace.text()));
    }
  }

  private static boolean hasWildcard(FieldCursor list) {
    return list.array().strings().contains("*");
  }

  /** Requires that {@code *} is the only item of its list. */
  private static void alone(FieldCursor list, String others) {
    if (list.array().size() > 1 && hasWildcard(list)) {
      list.invalid("if '*' is present, must not specify other " + others);
    }
  }

  private static Rule list(String missing, String others) {
    return place -> {
      if (place.isEmpty()) {
        place.required(missing);
      } else {
        alone(place, others);
      }
    };
  }

  private static void verbs(FieldCursor verbs) {
    if (verbs.isEmpty()) {
      verbs.required("verbs must contain at least one value");
    } else if (hasWildcard(verbs)) {
      alone(verbs, "verbs");
    } else if (!Set.copyOf(VERBS).containsAll(verbs.array().strings())) {
      verbs.notSupported(verbs.array(), VERBS);
    }
  }

  private static void namespaces(FieldCursor rule) {
    var namespaces = rule.at("namespaces");
    if (namespaces.isEmpty() && !rule.at("clusterScope").isTrue()) {
      namespaces.required(
          "resource rules that are not cluster scoped must supply at least one namespace");
    } else if (hasWildcard(namespaces)) {
      alone(namespaces, "namespaces");
    } else {
      for (var namespace : namespaces.items()) {
        for (var problem : Names.dnsLabel(namespace.text())) {
          namespace.invalid("each member of this list must be '*' or a DNS-1123 label; " + problem);
        }
      }
    }
  }

  private static void paths(FieldCursor paths) {
    if (paths.isEmpty()) {
      paths.required("nonResourceURLs must contain at least one value");
    } else if (hasWildcard(paths)) {
      alone(paths, "non-resource URLs");
    } else {
      paths.items().forEach(FlowSchemaRules::path);
    }
  }

  private static void path(FieldCursor place) {
    var path = place.text();
    int star = path.indexOf('*');
    if (path.isEmpty()) {
      place.invalid("must not be empty");
    } else if (!path.startsWith("/")) {
      place.invalid("must start with slash");
    } else if (path.contains(" ")) {
      place.invalid("must not contain white-space");
    } else if (path.contains("//")) {
      place.invalid("must not contain double slash");
    } else if (star >= 0 && (star != path.length() - 1 || !path.endsWith("/*"))) {
      place.invalid("wildcard can only do suffix matching");
    }
  }
}
