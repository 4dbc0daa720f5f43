package dev.muster.validation.core;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.FieldChecks.qualifiedName;
import static dev.muster.validation.Rules.clusterMetadata;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;

import dev.muster.model.address.Cidr;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/** The strategy of Nodes. */
public final class NodeRules {
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
  private static final String TAINTS = "scheduler.alpha.kubernetes.io/taints";
  private static final String AVOID_PODS = "scheduler.alpha.kubernetes.io/preferAvoidPods";
  private static final Pattern FEATURE =
      Pattern.compile("[A-Z][a-zA-Z0-9]*(/[a-zA-Z][a-zA-Z0-9]*)*");

  private static final Rule RESOURCES =
      field(
          "status",
          status -> amounts(status, "capacity"),
          status -> amounts(status, "allocatable"));

  private static final Rule FEATURES = field("status.declaredFeatures", NodeRules::features);

  private static final Rule NODE =
      Rule.all(
          clusterMetadata(NameRule.DNS_SUBDOMAIN),
          NodeRules::annotatedTaints,
          NodeRules::avoidedPods,
          NodeRules::taints,
          RESOURCES,
          NodeRules::swap,
          FEATURES,
          field("spec.podCIDRs", NodeRules::podRanges));

  private static final Rule NODE_UPDATE =
      Rule.all(
          metadataUpdate(),
          NodeRules::annotatedTaints,
          NodeRules::avoidedPods,
          RESOURCES,
          FEATURES,
          field("status.addresses", NodeRules::addresses),
          NodeRules::fixed,
          NodeRules::taints,
          NodeRules::externalId);

  public static final Strategy STRATEGY =
      ResourceRules.cluster()
          .defaults(
              in("spec", code(NodeRules::matchedRanges)),
              in(
                  "status",
                  computed("allocatable", status -> status.get("capacity")),
                  Resources.rounded("capacity"),
                  Resources.rounded("allocatable")))
          .prepareCreate(
              node -> node.withoutAt("spec", "configSource").withoutAt("status", "config"))
          .prepareUpdate(NodeRules::kept)
          .prepareStatusUpdate(
              (node, old) ->
                  old.object("status").has("config") ? node : node.withoutAt("status", "config"))
          .create(NODE)
          .update(NODE, NODE_UPDATE)
          .statusUpdate(NODE_UPDATE)
          .warnings(NodeRules::warnings)
          .statusWarnings()
          .build();

  private NodeRules() {}

  /** {@code podCIDR} equals the first of {@code podCIDRs}. */
  private static JsonObject matchedRanges(JsonObject spec) {
    var one = spec.string("podCIDR");
    var all = spec.array("podCIDRs").strings();
    if (!one.isEmpty() && (all.isEmpty() || !all.getFirst().equals(one))) {
      return spec.with("podCIDRs", JsonArray.of(Json.of(one)));
    }
    return one.isEmpty() && !all.isEmpty() ? spec.with("podCIDR", all.getFirst()) : spec;
  }

  private static JsonObject kept(JsonObject node, JsonObject old) {
    var status = old.get("status");
    var kept = status == null ? node.without("status") : node.with("status", status);
    return old.object("spec").has("configSource") ? kept : kept.withoutAt("spec", "configSource");
  }

  /** The error path contains the resource's name as a field and not as a key. */
  private static void amounts(FieldCursor status, String list) {
    for (var entry : status.at(list).entries()) {
      var path = FieldPath.of("status", list, entry.name());
      var amount = Resources.amount(entry);
      if (amount.signum() < 0) {
        entry.report(
            FieldError.invalid(path, amount.toString(), "must be greater than or equal to 0"));
      }
      if (Resources.isInteger(entry.name()) && amount.milliValue() % 1000 != 0) {
        entry.report(FieldError.invalid(path, Json.of(entry.text()), "must be an integer"));
      }
    }
  }

  /** Validates the annotation that held taints before there was a field. */
  private static void annotatedTaints(FieldCursor node) {
    var annotations = node.at("metadata", "annotations");
    var text = annotations.entry(TAINTS).text();
    if (text.isEmpty()) {
      return;
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var problem = GoJson.problemOfList(bytes, "[]core.Taint");
    if (problem.isEmpty()) {
      taintList(annotations.at(TAINTS).with(JsonReader.read(bytes)));
    } else {
      annotations.invalid(Json.of(TAINTS), problem);
    }
  }

  /** Validates the annotation that lists controllers whose pods the node should not get. */
  private static void avoidedPods(FieldCursor node) {
    var annotations = node.at("metadata", "annotations");
    var text = annotations.entry(AVOID_PODS).text();
    if (text.isEmpty()) {
      return;
    }
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    var problem = GoJson.problem(bytes, "v1.AvoidPods");
    if (!problem.isEmpty()) {
      annotations.at("AvoidPods").invalid(Json.of(AVOID_PODS), problem);
      return;
    }
    var list = annotations.at(AVOID_PODS).with(JsonReader.read(bytes)).at("preferAvoidPods");
    for (var entry : annotations.at(AVOID_PODS).with(list.array()).items()) {
      var controller = entry.at("podSignature", "podController");
      if (controller.isAbsent()) {
        entry.at("PodSignature").required("");
      } else if (!controller.at("controller").isTrue()) {
        entry
            .at("PodSignature", "PodController", "Controller")
            .invalid(Json.of(false), "must point to a controller");
      }
    }
  }

  /** Like kube-apiserver's, the errors name {@code metadata.taints}. */
  private static void taints(FieldCursor node) {
    taintList(node.at("metadata", "taints").with(node.at("spec", "taints").value()));
  }

  private static void taintList(FieldCursor list) {
    var seen = new HashSet<List<String>>();
    for (var taint : list.items()) {
      var key = taint.at("key");
      qualifiedName().check(key.isAbsent() ? key.with(Json.of("")) : key);
      var problems = Names.labelValue(taint.at("value").text());
      if (!problems.isEmpty()) {
        taint.at("value").invalid(String.join(";", problems));
      }
      var effect = taint.at("effect");
      if (effect.isEmpty()) {
        effect.required("");
      } else if (!EFFECTS.contains(effect.text())) {
        effect.notSupported(EFFECTS);
      }
      if (!seen.add(List.of(effect.text(), key.text()))) {
        taint.report(
            new FieldError(
                FieldError.Type.DUPLICATE,
                taint.path().text(),
                "Duplicate value: "
                    + taint.object()
                    + ": taints must be unique by key and effect pair"));
      }
    }
  }

  private static void swap(FieldCursor node) {
    var capacity = node.at("status", "nodeInfo", "swap", "capacity");
    if (capacity.isPresent() && capacity.integer() <= 0) {
      node.report(
          FieldError.invalid(
              FieldPath.of("metadata", "nodeSwapStatus", "capacity"),
              capacity.integer(),
              "must be greater than zero"));
    }
  }

  private static void features(FieldCursor list) {
    var places = list.items();
    for (int i = 0; i < places.size(); i++) {
      var name = places.get(i).text();
      if (GoText.bytes(name) > 253) {
        places
            .get(i)
            .invalid(
                "invalid feature name "
                    + GoText.quote(name)
                    + ": must be no more than 253 characters");
      } else if (!FEATURE.matcher(name).matches()) {
        places
            .get(i)
            .invalid(
                "invalid feature name "
                    + GoText.quote(name)
                    + ": must start with an UpperCamelCase segment, with subsequent segments"
                    + " separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain"
                    + " only alphanumeric characters and slashes");
      }
      if (i + 1 < places.size()) {
        var next = places.get(i + 1);
        if (next.isText(name)) {
          next.duplicate();
        } else if (name.compareTo(next.text()) > 0) {
          next.invalid("list must be sorted alphabetically");
        }
      }
    }
  }

  private static void podRanges(FieldCursor ranges) {
    for (var range : ranges.items()) {
      Rules.report(
          range, errors -> IpRules.strictLegacyCidr(range.path(), range.text(), List.of(), errors));
    }
    var texts = ranges.array().strings();
    if (texts.size() > 1) {
      var families = new HashSet<Boolean>();
      for (int i = 0; i < texts.size(); i++) {
        var range = Cidr.parseLegacy(texts.get(i));
        if (range == null) {
          ranges.report(
              FieldError.internal(
                  ranges.path(),
                  "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR["
                      + i
                      + "]: <nil> (invalid CIDR address: "
                      + texts.get(i)
                      + ")"));
          families.clear();
          break;
        }
        families.add(range.address().isSix());
      }
      if (families.size() < 2 || texts.size() > 2) {
        ranges.invalid("may specify no more than one CIDR for each IP family");
      }
    }
  }

  private static void addresses(FieldCursor list) {
    var seen = new HashSet<Json>();
    for (var address : list.items()) {
      if (!seen.add(address.object())) {
        address.duplicate();
      }
    }
  }

  private static void fixed(FieldCursor node) {
    var ranges = node.at("spec", "podCIDRs");
    var before = ranges.before().array().strings();
    var now = ranges.array().strings();
    if (!before.isEmpty()) {
      int differences = before.size() == now.size() ? 0 : 1;
      for (int i = 0; differences != 1 && i < now.size(); i++) {
        differences += now.get(i).equals(before.get(i)) ? 0 : 2;
      }
      for (int i = 0; i < (differences + 1) / 2; i++) {
        ranges.forbidden("node updates may not change podCIDR except from \"\" to valid");
      }
    }
    var provider = node.at("spec", "providerID");
    if (!provider.before().isEmpty() && provider.isChanged()) {
      provider.forbidden("node updates may not change providerID except from \"\" to valid");
    }
  }

  private static void externalId(FieldCursor node) {
    if (node.at("spec", "externalID").isChanged()) {
      node.at("spec", "externalID").forbidden("may not be updated");
    }
  }

  private static void warnings(FieldCursor node) {
    if (node.at("spec").has("configSource")) {
      node.warn("spec.configSource: the feature is removed");
    }
    if (!node.at("spec", "externalID").isEmpty()) {
      node.warn("spec.externalID: this field is deprecated, and is unused by Kubernetes");
    }
    for (var range : node.at("spec", "podCIDRs").items()) {
      IpRules.cidrWarnings(range.path(), range.text()).forEach(node::warn);
    }
  }
}
