package dev.muster.validation.apps;

import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Default.withoutEmpty;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoNumber;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.validation.NumberRules;
import dev.muster.schema.read.EmptyFields;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.pods.DisabledFields;
import dev.muster.validation.pods.PodSpecRules;
import dev.muster.validation.pods.scheduling.Scheduling;
import java.util.List;

/** Rules common to resources with a pod template in {@code spec.template}. */
public final class Templates {
  private static final String TOO_MANY = "cannot be greater than status.replicas";

  /** The fields of a kind with a template in which empty differs from absent. */
  public static final EmptyFields EMPTY_FIELDS =
      EmptyFields.at("spec.template.metadata.labels")
          .and(PodSpecRules.EMPTY_FIELDS.under("spec.template.spec"));

  /**
   * Removes empty template labels only if the selector matches pods without labels. Otherwise the
   * error shows the labels as the client sent them.
   */
  static final Default LABELS =
      when(Templates::choosesAll, in("template", in("metadata", withoutEmpty("labels"))));

  private Templates() {}

  /** Whether the selector of a spec matches pods without labels. */
  private static boolean choosesAll(JsonObject spec) {
    try {
      var selector = spec.get("selector") instanceof JsonObject given ? given : null;
      return LabelSelector.ofObject(selector).matches(JsonObject.EMPTY);
    } catch (MalformedValueException e) {
      return true;
    }
  }

  /** Rules of a kind with a status, a generation and a template. */
  public static ResourceRules.Builder workload() {
    return ResourceRules.namespaced()
        .emptyFields(EMPTY_FIELDS)
        .status()
        .generation()
        .prepareCreate(Templates::created)
        .prepareUpdate(Templates::updated);
  }

  public static JsonObject created(JsonObject object) {
    return DisabledFields.droppedAt(object, JsonObject.EMPTY, "spec", "template", "spec");
  }

  static JsonObject updated(JsonObject object, JsonObject old) {
    return DisabledFields.droppedAt(object, old, "spec", "template", "spec");
  }

  /**
   * Requires a selector that is not empty and matches the template's labels, and a valid template.
   */
  static void selected(FieldCursor spec, String kind, String emptyDetail) {
    var selector = spec.at("selector");
    if (selector.isAbsent()) {
      selector.required("");
    } else {
      Scheduling.selector(selector);
      if (isEmpty(selector)) {
        selector.invalid(emptyDetail);
      }
    }
    var template = spec.at("template");
    if (!isReadable(selector)) {
      selector.invalid("invalid label selector");
      return;
    }
    if (selector.isAbsent() || !isEmpty(selector)) {
      matches(template, selector);
    }
    PodSpecRules.template(template);
    runsForever(template.at("spec"), kind);
  }

  static boolean isEmpty(FieldCursor selector) {
    return selector.at("matchLabels").isEmpty() && selector.at("matchExpressions").isEmpty();
  }

  public static boolean isReadable(FieldCursor selector) {
    try {
      LabelSelector.ofObject(selector.isAbsent() ? null : selector.object());
      return true;
    } catch (MalformedValueException e) {
      return false;
    }
  }

  public static void matches(FieldCursor template, FieldCursor selector) {
    var labels = template.at("metadata", "labels");
    var wanted = LabelSelector.ofObject(selector.isAbsent() ? null : selector.object());
    if (!wanted.matches(labels.object())) {
      labels.invalid(
          labels.isAbsent() ? JsonNull.NULL : labels.object(),
          "`selector` does not match template `labels`");
    }
  }

  static void runsForever(FieldCursor spec, String kind) {
    if (!spec.at("restartPolicy").isText("Always")) {
      spec.at("restartPolicy").notSupported(List.of("Always"));
    }
    if (spec.has("activeDeadlineSeconds")) {
      spec.at("activeDeadlineSeconds")
          .forbidden("activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  /** A number that is not negative, or a percentage. */
  static void share(FieldCursor share) {
    switch (share.value()) {
      case JsonString text -> share.invalidEach(NumberRules.percent(text.value()));
      case JsonInteger number -> {
        if (number.value() < 0) {
          share.invalid("must be greater than or equal to 0");
        }
      }
      case null, default -> {}
    }
  }

  /** The number, also if it is a string, or the number of percent; else 0. */
  static long amount(FieldCursor share) {
    var text = share.text();
    if (text.isEmpty()) {
      return share.integer();
    }
    return isPercent(text) ? percent(text) : GoNumber.orZero(text);
  }

  private static boolean isPercent(String text) {
    return NumberRules.percent(text).isEmpty();
  }

  private static long percent(String text) {
    return GoNumber.orZero(text.substring(0, text.length() - 1));
  }

  static void notMoreThanAll(FieldCursor share) {
    if (!share.text().isEmpty() && isPercent(share.text()) && percent(share.text()) > 100) {
      share.invalid("must not be greater than 100%");
    }
  }

  /** Requires that none of these status counts exceeds the number of replicas. */
  static void counted(FieldCursor status, String readyDetail, String... fields) {
    long replicas = status.at("replicas").integer();
    for (var name : fields) {
      if (status.at(name).integer() > replicas) {
        status.at(name).invalid(Json.of(status.at(name).integer()), TOO_MANY);
      }
    }
    var available = status.at("availableReplicas");
    if (available.integer() > status.at("readyReplicas").integer()) {
      available.invalid(Json.of(available.integer()), readyDetail);
    }
  }

  static void collisions(FieldCursor status) {
    var count = status.at("collisionCount");
    if (count.before().isPresent()
        && (count.isAbsent() || count.integer() < count.before().integer())) {
      count.invalid(Json.of(count.integer()), "cannot be decremented");
    }
  }
}
