package dev.muster.types.table;

import static dev.muster.types.table.Cells.NONE;
import static dev.muster.types.table.Cells.integer;
import static dev.muster.types.table.Cells.number;
import static dev.muster.types.table.Cells.path;
import static dev.muster.types.table.Cells.pathOr;
import static dev.muster.types.table.Cells.size;
import static dev.muster.types.table.Cells.text;

import dev.muster.model.GroupVersion;
import dev.muster.model.HumanDuration;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The tables of workloads, jobs and disruption budgets. */
public final class WorkloadTables {
  private WorkloadTables() {}

  public static TableSpec scale() {
    return TableSpec.of(
        text("Name", "Name of what is scaled.", path("metadata", "name")),
        integer("Desired", "Pods that are wanted.", number("spec", "replicas")),
        integer("Available", "Pods that there are.", number("status", "replicas")),
        Cells.age());
  }

  private static JsonObject podSpec(JsonObject object) {
    return object.object("spec", "template", "spec");
  }

  private static Column selector() {
    return text(
            "Selector",
            "Labels of its pods.",
            object -> Cells.selector(object.at("spec", "selector")))
        .wide();
  }

  public static TableSpec deployment() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Ready",
            "Pods that are ready, and pods that are wanted.",
            o -> ready(o) + "/" + number("spec", "replicas").apply(o)),
        Cells.count(
            "Up-to-date", "Pods of the newest template.", number("status", "updatedReplicas")),
        Cells.count(
            "Available",
            "Pods that have been ready for long enough.",
            number("status", "availableReplicas")),
        Cells.age(),
        Cells.containers(WorkloadTables::podSpec),
        Cells.images(WorkloadTables::podSpec),
        text("Selector", "Labels of its pods.", WorkloadTables::plainSelector).wide());
  }

  private static String plainSelector(JsonObject deployment) {
    try {
      var selector = deployment.at("spec", "selector");
      return LabelSelector.ofObject(selector instanceof JsonObject given ? given : null).toString();
    } catch (MalformedValueException e) {
      return "<invalid>";
    }
  }

  private static long ready(JsonObject object) {
    return number("status", "readyReplicas").apply(object);
  }

  public static TableSpec replicaSet() {
    return TableSpec.of(
        Cells.name(),
        integer("Desired", "Pods that are wanted.", number("spec", "replicas")),
        integer("Current", "Pods that exist.", number("status", "replicas")),
        integer("Ready", "Pods that are ready.", number("status", "readyReplicas")),
        Cells.age(),
        Cells.containers(WorkloadTables::podSpec),
        Cells.images(WorkloadTables::podSpec),
        selector());
  }

  public static TableSpec statefulSet() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Ready",
            "Pods that are ready, and pods that are wanted.",
            o -> ready(o) + "/" + number("spec", "replicas").apply(o)),
        Cells.age(),
        Cells.containers(WorkloadTables::podSpec),
        Cells.images(WorkloadTables::podSpec));
  }

  public static TableSpec daemonSet() {
    return TableSpec.of(
        Cells.name(),
        integer(
            "Desired", "Nodes that should run a pod.", number("status", "desiredNumberScheduled")),
        integer("Current", "Nodes that have a pod.", number("status", "currentNumberScheduled")),
        integer("Ready", "Nodes with a ready pod.", number("status", "numberReady")),
        integer(
            "Up-to-date",
            "Nodes with a pod of the newest template.",
            number("status", "updatedNumberScheduled")),
        integer(
            "Available",
            "Nodes with a pod that has been ready for long enough.",
            number("status", "numberAvailable")),
        text(
            "Node Selector",
            "Labels of the nodes.",
            o -> Cells.labels(podSpec(o).object("nodeSelector"))),
        Cells.age(),
        Cells.containers(WorkloadTables::podSpec),
        Cells.images(WorkloadTables::podSpec),
        selector());
  }

  public static TableSpec controllerRevision() {
    return TableSpec.of(
        Cells.name(),
        text("Controller", "What the revision belongs to.", WorkloadTables::controller),
        Cells.count("Revision", "Its number.", number("revision")),
        Cells.age());
  }

  private static String controller(JsonObject object) {
    for (var owner : object.object("metadata").array("ownerReferences").objects()) {
      if (owner.isTrue("controller")) {
        var kind =
            GroupVersion.parse(owner.string("apiVersion")).kind(owner.string("kind")).groupKind();
        return kind.toString().toLowerCase(Locale.ROOT) + "/" + owner.string("name");
      }
    }
    return NONE;
  }

  public static TableSpec job() {
    return TableSpec.of(
        Cells.name(),
        text("Status", "How far the job is.", WorkloadTables::jobStatus),
        text("Completions", "Pods that succeeded, of those wanted.", WorkloadTables::completions),
        Cells.timed("Duration", "How long it ran.", WorkloadTables::duration),
        Cells.age(),
        Cells.containers(WorkloadTables::podSpec),
        Cells.images(WorkloadTables::podSpec),
        selector());
  }

  private static String jobStatus(JsonObject job) {
    var status = job.object("status");
    for (var ended : List.of("Complete", "Failed")) {
      if (Cells.hasTrueCondition(status, ended)) {
        return ended;
      }
    }
    if (job.object("metadata").has("deletionTimestamp")) {
      return "Terminating";
    }
    for (var state : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
      if (Cells.hasTrueCondition(status, state)) {
        return state;
      }
    }
    return "Running";
  }

  private static String completions(JsonObject job) {
    long succeeded = number("status", "succeeded").apply(job);
    if (job.at("spec", "completions") instanceof JsonInteger wanted) {
      return succeeded + "/" + wanted.value();
    }
    long parallelism = number("spec", "parallelism").apply(job);
    return succeeded + "/1" + (parallelism > 1 ? " of " + parallelism : "");
  }

  private static Json duration(JsonObject job, Instant now) {
    var start = Timestamps.read(job.at("status", "startTime"));
    if (start == null) {
      return Json.of("");
    }
    var end = Timestamps.read(job.at("status", "completionTime"));
    return Json.of(HumanDuration.format(Duration.between(start, end == null ? now : end)));
  }

  public static TableSpec cronJob() {
    Function<JsonObject, JsonObject> podSpec =
        object -> object.object("spec", "jobTemplate", "spec", "template", "spec");
    return TableSpec.of(
        Cells.name(),
        text("Schedule", "When jobs are started.", path("spec", "schedule")),
        text("Timezone", "Time zone of the schedule.", pathOr(NONE, "spec", "timeZone")),
        new Column(
            "Suspend",
            "boolean",
            "",
            0,
            "Whether no jobs are started.",
            (object, now) -> Json.of(suspended(object))),
        integer("Active", "Jobs that are running.", size("status", "active")),
        Cells.timed("Last Schedule", "When a job was started last.", WorkloadTables::lastSchedule),
        Cells.age(),
        Cells.containers(podSpec),
        Cells.images(podSpec),
        text(
                "Selector",
                "Labels of the pods.",
                object -> Cells.selector(object.at("spec", "jobTemplate", "spec", "selector")))
            .wide());
  }

  private static String suspended(JsonObject cronJob) {
    return switch (Cells.string(cronJob.at("spec", "suspend"))) {
      case "true" -> "True";
      case "false" -> "False";
      default -> Cells.UNSET;
    };
  }

  private static Json lastSchedule(JsonObject cronJob, Instant now) {
    var last = cronJob.at("status", "lastScheduleTime");
    return Json.of(last == null ? NONE : Cells.since(last, now));
  }

  public static TableSpec disruptionBudget() {
    return TableSpec.of(
        Cells.name(),
        text(
            "Min Available",
            "Pods that must stay, as number or share.",
            pathOr("N/A", "spec", "minAvailable")),
        text(
            "Max Unavailable",
            "Pods that may be away, as number or share.",
            pathOr("N/A", "spec", "maxUnavailable")),
        integer(
            "Allowed Disruptions",
            "Pods that may be evicted now.",
            number("status", "disruptionsAllowed")),
        Cells.age());
  }
}
