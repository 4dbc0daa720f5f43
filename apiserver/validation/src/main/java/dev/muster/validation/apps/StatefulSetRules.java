package dev.muster.validation.apps;

import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.PodSpecRules;
import dev.muster.validation.pods.PodWarnings;
import dev.muster.validation.pods.scheduling.Scheduling;
import dev.muster.validation.storage.ClaimRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** The strategy of StatefulSets. */
public final class StatefulSetRules {
  private static final List<String> MUTABLE =
      List.of(
          "replicas",
          "template",
          "updateStrategy",
          "minReadySeconds",
          "ordinals",
          "revisionHistoryLimit",
          "persistentVolumeClaimRetentionPolicy");

  private static final Default DEFAULTS =
      make(
          "spec",
          value("podManagementPolicy", "OrderedReady"),
          make(
              "updateStrategy",
              when(
                  strategy -> strategy.string("type").isEmpty(),
                  value("type", "RollingUpdate"),
                  make("rollingUpdate")),
              when(
                  strategy -> strategy.string("type").equals("RollingUpdate"),
                  in("rollingUpdate", value("partition", 0)))),
          make(
              "persistentVolumeClaimRetentionPolicy",
              value("whenDeleted", "Retain"),
              value("whenScaled", "Retain")),
          value("replicas", 1),
          value("revisionHistoryLimit", 10),
          Templates.LABELS,
          make("template", PodDefaults.TEMPLATE),
          each(
              "volumeClaimTemplates",
              Default.code(
                  claim -> claim.with("apiVersion", "v1").with("kind", "PersistentVolumeClaim")),
              make("spec", ClaimRules.SPEC_DEFAULTS),
              make("status", value("phase", "Pending"))));

  public static final Strategy STRATEGY =
      Templates.workload()
          .defaults(DEFAULTS)
          .prepareCreate(set -> withoutDisabled(Templates.created(set), JsonObject.EMPTY))
          .prepareUpdate((set, old) -> withoutDisabled(Templates.updated(set, old), old))
          .create(
              namespacedMetadata(NameRule.DNS_LABEL), field("spec", spec -> spec(spec, State.NEW)))
          .update(
              metadataUpdate(),
              field("spec", spec -> spec(spec, State.CHANGED)),
              StatefulSetRules::kept)
          .statusUpdate(
              field("status", StatefulSetRules::status),
              metadataUpdate(),
              field("status", Templates::collisions))
          .warnings(StatefulSetRules::warnings)
          .statusWarnings()
          .build();

  private StatefulSetRules() {}

  /** Whether a spec is new, changed or stored. */
  private enum State {
    NEW,
    CHANGED,
    /** The spec before an update, which decides how much of the new one is validated. */
    STORED
  }

  private static void warnings(FieldCursor set) {
    PodWarnings.template(set, "spec", "template");
    for (var claim : set.at("spec", "volumeClaimTemplates").items()) {
      var place = set.isUpdate() ? claim.at("Spec") : claim;
      ClaimRules.specWarnings(place.with(claim.at("spec").value()));
    }
    if (set.at("spec", "revisionHistoryLimit").integer() < 0) {
      set.warn(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >="
              + " 0 is recommended");
    }
  }

  private static void spec(FieldCursor spec, State state) {
    boolean isNew = state == State.NEW;
    var policy = spec.at("podManagementPolicy");
    if (!policy.isText("OrderedReady") && !policy.isText("Parallel")) {
      policy.invalid("must be 'OrderedReady' or 'Parallel'");
    }
    strategy(spec.at("updateStrategy"));
    for (var name : List.of("whenDeleted", "whenScaled")) {
      ValueChecks.optionalChoice(
          spec.at("persistentVolumeClaimRetentionPolicy", name), "Retain", "Delete");
    }
    if (isNew) {
      for (var claim : spec.at("volumeClaimTemplates").items()) {
        ClaimRules.SPEC.check(claim.at("spec"));
      }
    }
    ValueChecks.nonNegative(spec, "replicas", "minReadySeconds");
    if (spec.at("ordinals", "start").integer() < 0) {
      spec.at("ordinals.start")
          .invalid(
              Json.of(spec.at("ordinals", "start").integer()),
              "must be greater than or equal to 0");
    }
    if (isNew && !spec.at("serviceName").isEmpty()) {
      spec.at("serviceName").invalidEach(Names.dnsLabel(spec.at("serviceName").text()));
    }
    var selector = spec.at("selector");
    if (selector.isAbsent()) {
      selector.required("");
    } else {
      Scheduling.selector(selector);
      if (Templates.isEmpty(selector)) {
        selector.invalid("empty selector is invalid for statefulset");
      }
    }
    if (!Templates.isReadable(selector)) {
      selector.invalid("");
    } else {
      template(spec, selector, state);
    }
    Templates.runsForever(spec.at("template", "spec"), "StatefulSet");
  }

  /** Validates the template, whose pods have volumes from claim templates and stable names. */
  private static void template(FieldCursor spec, FieldCursor selector, State state) {
    var template = spec.at("template");
    if (selector.isAbsent() || !Templates.isEmpty(selector)) {
      Templates.matches(template, selector);
    }
    var claims = new LinkedHashMap<String, Json>();
    for (var claim : spec.at("volumeClaimTemplates").array().objects()) {
      var name = claim.object("metadata").string("name");
      claims.put(
          name,
          JsonObject.of("name", name, "persistentVolumeClaim", JsonObject.of("claimName", name)));
    }
    var volumes = new ArrayList<>(claims.values());
    for (var volume : template.at("spec", "volumes").array().objects()) {
      if (!claims.containsKey(volume.string("name"))) {
        volumes.add(volume);
      }
    }
    var checked = template.object();
    if (checked.has("spec")) {
      checked = checked.withoutAt("spec", "subdomain").withoutAt("spec", "hostname");
      checked = checked.withAt(JsonArray.of(volumes), "spec", "volumes");
    }
    var shown = template.with(checked);
    var errors = new ArrayList<FieldError>();
    PodSpecRules.template(shown.collectingInto(errors));
    if (!errors.isEmpty() && (state != State.CHANGED || !wasWrong(spec))) {
      errors.forEach(spec::report);
    }
    PodSpecRules.metadata(shown);
  }

  /** A StatefulSet that was stored with an invalid spec can still be scaled. */
  private static boolean wasWrong(FieldCursor spec) {
    return Rules.breaks(spec.as(spec.old(), spec.old()), old -> spec(old, State.STORED));
  }

  private static void strategy(FieldCursor strategy) {
    var rolling = strategy.at("rollingUpdate");
    switch (strategy.at("type").text()) {
      case "" -> strategy.required("");
      case "OnDelete" -> {
        if (rolling.isPresent()) {
          rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
        }
      }
      case "RollingUpdate" -> {
        ValueChecks.nonNegative(rolling, "partition");
        var unavailable = rolling.at("maxUnavailable");
        if (unavailable.isPresent()) {
          Templates.share(unavailable);
          if (Templates.amount(unavailable) == 0) {
            unavailable.invalid("cannot be 0");
          }
          Templates.notMoreThanAll(unavailable);
        }
      }
      default -> strategy.invalid("must be 'RollingUpdate' or 'OnDelete'");
    }
  }

  private static void kept(FieldCursor set) {
    var spec = set.at("spec").object();
    var old = set.at("spec").before().object();
    for (var field : MUTABLE) {
      spec = spec.without(field);
      old = old.without(field);
    }
    if (!spec.equals(old)) {
      set.at("spec")
          .forbidden(
              "updates to statefulset spec for fields other than 'replicas', 'ordinals',"
                  + " 'template', 'updateStrategy', 'revisionHistoryLimit',"
                  + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
    }
  }

  private static void status(FieldCursor status) {
    ValueChecks.nonNegative(
        status,
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount");
    Templates.counted(
        status,
        "cannot be greater than status.readyReplicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas");
  }

  /** Drops {@code maxUnavailable}, whose feature is disabled by default. */
  private static JsonObject withoutDisabled(JsonObject set, JsonObject old) {
    return old.object("spec", "updateStrategy", "rollingUpdate").has("maxUnavailable")
        ? set
        : set.withoutAt("spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
  }
}
