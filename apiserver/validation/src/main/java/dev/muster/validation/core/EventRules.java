package dev.muster.validation.core;

import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.FieldChecks.immutableText;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;

/**
 * The strategies of events in both groups, applied to core group objects. Writes through {@code
 * events.k8s.io} are validated more strictly than writes through the core group.
 */
public final class EventRules {
  private static final Rule STRICT_CREATE =
      Rule.all(
          event -> common(event, "reportingController"),
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          EventRules::series,
          EventRules::modern);

  private static final Rule STRICT_UPDATE =
      Rule.all(
          event -> common(event, "reportingController"),
          metadataUpdate(),
          event -> {
            if (event.at("series").isChanged()) {
              series(event);
            }
          },
          field("involvedObject", immutable()),
          field("reason", immutableText()),
          field("message", immutableText()),
          field("source", immutable()),
          field("firstTimestamp", immutable()),
          field("lastTimestamp", immutable()),
          field("count", EventRules::sameCount),
          field("reason", immutableText()),
          field("type", immutableText()),
          field("eventTime", immutable()),
          field("action", immutableText()),
          field("related", immutable()),
          EventRules::reporter,
          field("reportingInstance", immutableText()));

  /** Events written through the core group. */
  public static final Strategy CORE =
      ResourceRules.namespaced()
          .create(event -> common(event, "reportingComponent"))
          .update(event -> common(event, "reportingComponent"))
          .createsOnUpdate()
          .withoutDependents()
          .build();

  /** Events written through {@code events.k8s.io}. */
  public static final Strategy EVENTS =
      ResourceRules.namespaced()
          .create(STRICT_CREATE)
          .update(STRICT_UPDATE)
          .createsOnUpdate()
          .withoutDependents()
          .build();

  private EventRules() {}

  private static void common(FieldCursor event, String reporterField) {
    var namespace = event.at("metadata", "namespace").text();
    var subject = event.at("involvedObject", "namespace");
    if (event.at("eventTime").isAbsent()) {
      boolean fits =
          subject.isEmpty()
              ? namespace.isEmpty() || namespace.equals("default")
              : namespace.equals(subject.text());
      if (!fits) {
        subject.invalid("does not match event.namespace");
      }
    } else {
      timed(event, reporterField);
    }
    for (var problem : Names.dnsSubdomain(namespace)) {
      event.report(FieldError.invalid(FieldPath.of("namespace"), namespace, problem));
    }
  }

  /** Requires reporter, action and reason in an event with an eventTime. */
  private static void timed(FieldCursor event, String reporterField) {
    var namespace = event.at("metadata", "namespace").text();
    var subject = event.at("involvedObject", "namespace");
    if (subject.isEmpty() && !namespace.equals("default") && !namespace.equals("kube-system")) {
      subject.invalid("does not match event.namespace");
    }
    var reporter = event.at("reportingComponent").text();
    if (reporter.isEmpty()) {
      event.report(FieldError.required(FieldPath.of(reporterField), ""));
    }
    for (var problem : Names.qualifiedName(reporter)) {
      event.report(FieldError.invalid(FieldPath.of(reporterField), reporter, problem));
    }
    for (var name : new String[] {"reportingInstance", "action", "reason"}) {
      if (event.at(name).isEmpty()) {
        event.at(name).required("");
      }
      most(event.at(name), 128);
    }
    most(event.at("message"), 1024);
  }

  private static void most(FieldCursor text, int bytes) {
    if (GoText.bytes(text.text()) > bytes) {
      text.invalid(Json.of(""), "can have at most " + bytes + " characters");
    }
  }

  private static void series(FieldCursor event) {
    var series = event.at("series");
    if (series.isPresent()) {
      if (series.at("count").integer() < 2) {
        series.at("count").invalid(Json.of(""), "should be at least 2");
      }
      if (series.at("lastObservedTime").isAbsent()) {
        series.at("lastObservedTime").required("");
      }
    }
  }

  private static void modern(FieldCursor event) {
    if (event.at("eventTime").isAbsent()) {
      event.at("eventTime").required("");
    }
    var type = event.at("type").text();
    if (!type.equals("Normal") && !type.equals("Warning")) {
      event.at("type").invalid(Json.of(""), "has invalid value: " + type);
    }
    for (var name : new String[] {"firstTimestamp", "lastTimestamp"}) {
      if (event.has(name)) {
        event.at(name).invalid(Json.of(""), "needs to be unset");
      }
    }
    if (event.at("count").integer() != 0) {
      event.at("count").invalid(Json.of(""), "needs to be unset");
    }
    if (!event.at("source", "component").isEmpty() || !event.at("source", "host").isEmpty()) {
      event.at("source").invalid(Json.of(""), "needs to be unset");
    }
  }

  /** Refuses a changed count; an absent one is shown as 0. */
  private static void sameCount(FieldCursor count) {
    if (count.isChanged()) {
      count.invalid(Json.of(count.integer()), "field is immutable");
    }
  }

  /** Reports the reporter by its field name in {@code events.k8s.io}. */
  private static void reporter(FieldCursor event) {
    var reporter = event.at("reportingComponent");
    if (reporter.isChanged()) {
      event.report(
          FieldError.invalid(
              FieldPath.of("reportingController"), reporter.text(), "field is immutable"));
    }
  }
}
