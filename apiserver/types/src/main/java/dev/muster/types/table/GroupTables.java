package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.UNSET;
import static dev.muster.types.table.Cells.integer;
import static dev.muster.types.table.Cells.number;
import static dev.muster.types.table.Cells.orElse;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.pathOr;
import static dev.muster.types.table.Cells.size;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.HumanDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.TreeSet;
import java.util.function.Function;

/** The tables of RBAC, admission, certificates, flow control, scheduling and devices. */
public final class GroupTables {
  private GroupTables() {}

  public static TableSpec roleBinding() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Role",
            "The role that is granted.",
            o -> o.object("roleRef").string("kind") + "/" + o.object("roleRef").string("name")),
        Cells.age(),
        text("Users", "Users who have the role.", subjects("User")).wide(),
        text("Groups", "Groups that have the role.", subjects("Group")).wide(),
        text("ServiceAccounts", "Service accounts that have it.", subjects("ServiceAccount"))
            .wide());
  }

  private static Function<JsonObject, String> subjects(String kind) {
    return binding -> {
      var texts = new ArrayList<String>();
      for (var subject : binding.array("subjects").objects()) {
        if (subject.string("kind").equals(kind)) {
          var name = subject.string("name");
          texts.add(
              kind.equals("ServiceAccount") ? subject.string("namespace") + "/" + name : name);
        }
      }
      return String.join(", ", texts);
    };
  }

  public static TableSpec webhooks() {
    return TableSpec.of(
        Cells.name(), integer("Webhooks", "How many webhooks.", size("webhooks")), Cells.age());
  }

  public static TableSpec policy(String column, String field) {
    return TableSpec.of(
        Cells.name(),
        integer(column, "How many " + field + ".", size("spec", field)),
        text(
            "ParamKind",
            "Kind of the policy's parameters.",
            o -> {
              var kind = o.object("spec", "paramKind");
              return o.object("spec").has("paramKind")
                  ? kind.string("apiVersion") + "/" + kind.string("kind")
                  : UNSET;
            }),
        Cells.age());
  }

  public static TableSpec policyBinding() {
    return TableSpec.of(
        Cells.name(),
        text("PolicyName", "The policy that is bound.", path("spec", "policyName")),
        text("ParamRef", "The policy's parameters.", GroupTables::parameters),
        Cells.age());
  }

  private static String parameters(JsonObject binding) {
    var reference = binding.object("spec", "paramRef");
    if (!reference.string("name").isEmpty()) {
      return orElse(reference.string("namespace"), "*") + "/" + reference.string("name");
    }
    return reference.get("selector") instanceof JsonObject selector ? inGo(selector) : UNSET;
  }

  /** A selector as Go prints it. */
  private static String inGo(JsonObject selector) {
    var out = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
    var labels = selector.object("matchLabels");
    for (var key : new TreeSet<>(labels.keys())) {
      out.append(key).append(": ").append(labels.string(key)).append(',');
    }
    out.append("},MatchExpressions:[]LabelSelectorRequirement{");
    for (var expression : selector.array("matchExpressions").objects()) {
      out.append("LabelSelectorRequirement{Key:")
          .append(expression.string("key"))
          .append(",Operator:")
          .append(expression.string("operator"))
          .append(",Values:[")
          .append(String.join(" ", expression.array("values").strings()))
          .append("],},");
    }
    return out.append("},}").toString();
  }

  public static TableSpec apiService() {
    return TableSpec.of(
            Cells.name(),
            text(
                "Service",
                "The service behind the API.",
                o -> {
                  var service = o.object("spec", "service");
                  return o.object("spec").has("service")
                      ? service.string("namespace") + "/" + service.string("name")
                      : "Local";
                }),
            text("Available", "Whether the API can be used.", GroupTables::available),
            Cells.age())
        .withRepeatedColumns();
  }

  private static String available(JsonObject service) {
    for (var condition : service.object("status").array("conditions").objects()) {
      if (condition.string("type").equals("Available")) {
        var status = condition.string("status");
        var reason = condition.string("reason");
        return status.equals("True") || reason.isEmpty() ? status : status + " (" + reason + ")";
      }
    }
    return "Unknown";
  }

  public static TableSpec signingRequest() {
    return TableSpec.of(
        Cells.name(),
        Cells.age(),
        text(
            "SignerName",
            "Who should sign.",
            o -> orElse(path("spec", "signerName").apply(o), NONE)),
        text("Requestor", "Who asked.", path("spec", "username")),
        text("RequestedDuration", "How long it should be valid.", GroupTables::validity),
        text("Condition", "How far it is.", GroupTables::signingState));
  }

  private static String validity(JsonObject request) {
    return request.at("spec", "expirationSeconds") instanceof JsonInteger seconds
        ? HumanDuration.format(Duration.ofSeconds(seconds.value()))
        : NONE;
  }

  private static String signingState(JsonObject request) {
    var types = new ArrayList<String>();
    for (var condition : request.object("status").array("conditions").objects()) {
      types.add(condition.string("type"));
    }
    var state =
        types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
    return state
        + (types.contains("Failed") ? ",Failed" : "")
        + (request.object("status").string("certificate").isEmpty() ? "" : ",Issued");
  }

  public static TableSpec lease() {
    return TableSpec.of(
        Cells.name(), text("Holder", "Who holds it.", path("spec", "holderIdentity")), Cells.age());
  }

  public static TableSpec flowSchema() {
    return TableSpec.of(
            Cells.name(),
            text(
                "PriorityLevel",
                "The priority level of its requests.",
                path("spec", "priorityLevelConfiguration", "name")),
            Cells.count(
                "MatchingPrecedence",
                "The smallest of all that match is taken.",
                number("spec", "matchingPrecedence")),
            text(
                "DistinguisherMethod",
                "How requests are told apart.",
                o ->
                    o.object("spec").has("distinguisherMethod")
                        ? path("spec", "distinguisherMethod", "type").apply(o)
                        : NONE),
            Cells.age(),
            text("MissingPL", "Whether the priority level is missing.", GroupTables::dangling))
        .sortedBy(
            schema ->
                new TableSpec.Rank(
                    number("spec", "matchingPrecedence").apply(schema),
                    path("metadata", "name").apply(schema)));
  }

  private static String dangling(JsonObject schema) {
    for (var condition : schema.object("status").array("conditions").objects()) {
      if (condition.string("type").equals("Dangling")) {
        return condition.string("status");
      }
    }
    return "?";
  }

  public static TableSpec priorityLevel() {
    return TableSpec.of(
        Cells.name(),
        text("Type", "Limited or exempt.", path("spec", "type")),
        limit("NominalConcurrencyShares", "Share of the server.", "nominalConcurrencyShares"),
        limit("Queues", "Number of queues.", "limitResponse", "queuing", "queues"),
        limit("HandSize", "Queues for one flow.", "limitResponse", "queuing", "handSize"),
        limit(
            "QueueLengthLimit",
            "Requests in one queue.",
            "limitResponse",
            "queuing",
            "queueLengthLimit"),
        Cells.age());
  }

  private static Column limit(String name, String description, String... path) {
    return new Column(
        name,
        "string",
        "",
        0,
        description,
        (object, now) -> {
          var value = object.object("spec", "limited").at(path);
          return value == null ? Json.of(NONE) : value;
        });
  }

  public static TableSpec runtimeClass() {
    return TableSpec.of(
        Cells.name(), text("Handler", "The runtime's name for it.", path("handler")), Cells.age());
  }

  public static TableSpec priorityClass() {
    return TableSpec.of(
        Cells.name(),
        integer("Value", "The higher, the sooner pods get a node.", number("value")),
        Cells.flag(
            "Global-Default", "Whether pods get it by default.", o -> o.isTrue("globalDefault")),
        Cells.age(),
        text("PreemptionPolicy", "Whether its pods evict others.", path("preemptionPolicy")));
  }

  public static TableSpec resourceClaim() {
    return TableSpec.of(
        Cells.name(), text("State", "How far the claim is.", GroupTables::claimState), Cells.age());
  }

  private static String claimState(JsonObject claim) {
    var states = new ArrayList<String>();
    boolean deleted = claim.object("metadata").has("deletionTimestamp");
    if (deleted) {
      states.add("deleted");
    }
    if (claim.object("status").has("allocation")) {
      states.add("allocated");
      if (!claim.object("status").array("reservedFor").isEmpty()) {
        states.add("reserved");
      }
    } else if (!deleted) {
      states.add("pending");
    }
    return String.join(",", states);
  }

  public static TableSpec resourceSlice() {
    return TableSpec.of(
        Cells.name(),
        text("Node", "The node that has the devices.", path("spec", "nodeName")),
        text("Driver", "The driver of the devices.", path("spec", "driver")),
        text("Pool", "The pool that the slice is a part of.", pathOr("", "spec", "pool", "name")),
        Cells.age());
  }
}
