package dev.muster.validation.batch;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validates the status of a Job, which external controllers may write. Unchanged parts are not
 * validated, so that an invalid status can be repaired step by step.
 */
final class JobStatusRules {
  private static final String COMPLETE = "Complete";
  private static final String FAILED = "Failed";
  private static final String FAILURE_TARGET = "FailureTarget";
  private static final String SUCCESS = "SuccessCriteriaMet";

  private final FieldCursor spec;
  private final FieldCursor status;

  private JobStatusRules(FieldCursor job) {
    this.spec = job.at("spec");
    this.status = job.at("status");
  }

  static void check(FieldCursor job) {
    var rules = new JobStatusRules(job);
    ValueChecks.nonNegative(rules.status, "active", "succeeded", "failed", "ready", "terminating");
    rules.uncounted();
    rules.ends();
    rules.finished();
    rules.indexes();
    rules.counters();
    rules.success();
    rules.transitions();
  }

  private boolean is(String type) {
    return isTrue(status, type, "True");
  }

  private boolean was(String type) {
    return isTrue(status.before(), type, "True");
  }

  private static boolean isTrue(FieldCursor status, String type, String value) {
    return status.at("conditions").array().objects().stream()
        .anyMatch(
            condition ->
                condition.string("type").equals(type) && condition.string("status").equals(value));
  }

  private boolean changes(String type) {
    return is(type) != was(type);
  }

  private boolean isFinished() {
    return is(COMPLETE) || is(FAILED);
  }

  private boolean finishedChanges() {
    return isFinished() != (was(COMPLETE) || was(FAILED));
  }

  private boolean isChanged(String field) {
    return status.at(field).isChanged();
  }

  private void condition(boolean wrong, String detail) {
    if (wrong) {
      status.report(FieldError.invalid(status.at("conditions").path(), detail));
    }
  }

  private void uncounted() {
    var seen = new HashSet<String>();
    for (var list : List.of("succeeded", "failed")) {
      for (var uid : status.at("uncountedTerminatedPods", list).items()) {
        if (uid.isEmpty()) {
          uid.invalid("must not be empty");
        } else if (!seen.add(uid.text())) {
          uid.duplicate();
        }
      }
    }
  }

  private void ends() {
    var completion = status.at("completionTime");
    var start = status.at("startTime");
    boolean timed = changes(COMPLETE) || completion.isChanged();
    condition(
        (changes(COMPLETE) || changes(FAILED)) && is(COMPLETE) && is(FAILED),
        "cannot set Complete=True and Failed=true conditions");
    condition(
        (changes(COMPLETE) || changes(FAILURE_TARGET)) && is(COMPLETE) && is(FAILURE_TARGET),
        "cannot set Complete=True and FailureTarget=true conditions");
    if (timed && completion.isPresent() && !is(COMPLETE)) {
      completion.invalid("cannot set completionTime when there is no Complete=True condition");
    }
    if (timed && completion.isAbsent() && is(COMPLETE)) {
      completion.required("completionTime is required for Complete jobs");
    }
    if ((start.isChanged() || completion.isChanged()) && isBefore(completion, start)) {
      completion.invalid("must be equal to or after `startTime`");
    }
    condition(
        (changes(FAILED) || isChanged("failedIndexes")) && is(FAILED) && !is(FAILURE_TARGET),
        "cannot set Failed=True condition without the FailureTarget=true condition");
    condition(
        (changes(COMPLETE) || changes(SUCCESS)) && is(COMPLETE) && !is(SUCCESS),
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }

  private static boolean isBefore(FieldCursor one, FieldCursor other) {
    var first = time(one);
    var second = time(other);
    return first != null && second != null && first.isBefore(second);
  }

  private static @Nullable Instant time(FieldCursor time) {
    try {
      return time.isEmpty() ? null : Timestamps.parse(time.text());
    } catch (MalformedValueException e) {
      return null;
    }
  }

  private void finished() {
    if (!isFinished()) {
      return;
    }
    var active = status.at("active");
    if ((finishedChanges() || numberChanges("active")) && active.integer() > 0) {
      active.invalid("active>0 is invalid for finished job");
    }
    boolean neverStarted =
        spec.at("suspend").isTrue()
            && spec.has("completions")
            && spec.at("completions").integer() == 0;
    if ((finishedChanges() || isChanged("startTime"))
        && !neverStarted
        && !status.has("startTime")) {
      status.at("startTime").required("startTime is required for finished job");
    }
    var uncounted = status.at("uncountedTerminatedPods");
    boolean some = !uncounted.at("failed").isEmpty() || !uncounted.at("succeeded").isEmpty();
    if ((finishedChanges() || uncounted.isChanged()) && some) {
      uncounted.invalid("must be empty for finished job");
    }
  }

  private boolean numberChanges(String field) {
    return status.at(field).integer() != status.at(field).before().integer();
  }

  private void indexes() {
    var completed = status.at("completedIndexes");
    var failed = status.at("failedIndexes");
    boolean completedChanges = !completed.text().equals(completed.before().text());
    long completions = spec.at("completions").integer();
    if (completedChanges && spec.has("completions")) {
      parsed(completed, completions);
    }
    if (failed.isChanged()
        && failed.isPresent()
        && spec.has("completions")
        && spec.has("backoffLimitPerIndex")) {
      parsed(failed, completions);
    }
    if (completedChanges && !completed.isEmpty() && !JobSpecs.isIndexed(spec)) {
      completed.invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    if (failed.isChanged() && failed.isPresent() && !spec.has("backoffLimitPerIndex")) {
      failed.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
    if ((completedChanges || failed.isChanged()) && failed.isPresent() && spec.has("completions")) {
      long common = JobIndexes.common(completed.text(), failed.text(), completions);
      if (common >= 0) {
        failed.invalid("failedIndexes and completedIndexes overlap at index: " + common);
      }
    }
  }

  private static void parsed(FieldCursor indexes, long completions) {
    try {
      JobIndexes.count(indexes.text(), completions);
    } catch (IllegalArgumentException e) {
      indexes.invalid(
          Json.of(indexes.text()), "error parsing " + indexes.name() + ": " + e.getMessage());
    }
  }

  private void counters() {
    var terminating = status.at("terminating");
    if ((finishedChanges() || terminating.isChanged())
        && isFinished()
        && terminating.integer() > 0) {
      terminating.invalid("terminating>0 is invalid for finished job");
    }
    var ready = status.at("ready");
    if ((ready.isChanged() || numberChanges("active"))
        && ready.isPresent()
        && ready.integer() > status.at("active").integer()) {
      ready.invalid("cannot set more ready pods than active");
    }
  }

  private void success() {
    condition(
        is(SUCCESS) && is(FAILED), "cannot set SuccessCriteriaMet=True and Failed=true conditions");
    condition(
        is(SUCCESS) && is(FAILURE_TARGET),
        "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
    condition(
        spec.has("successPolicy") && !is(SUCCESS) && is(COMPLETE),
        "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }

  private void transitions() {
    for (var type : List.of(FAILED, COMPLETE, FAILURE_TARGET)) {
      condition(was(type) && !is(type), "cannot disable the terminal " + type + "=True condition");
    }
    decreases("failed");
    boolean scales =
        JobSpecs.isIndexed(spec)
            && spec.at("completions").integer() == spec.at("parallelism").integer()
            && spec.has("completions") == spec.has("parallelism");
    if (!scales) {
      decreases("succeeded");
    }
    var completion = status.at("completionTime");
    if (completion.isPresent() && completion.before().isPresent() && completion.isChanged()) {
      completion.invalid("field is immutable");
    }
    var start = status.at("startTime");
    boolean resumes =
        isTrue(status.before(), "Suspended", "True") && isTrue(status, "Suspended", "False");
    if (start.before().isPresent()
        && start.isChanged()
        && !resumes
        && !spec.at("suspend").isTrue()) {
      var shown = start.value();
      start.invalid(
          shown == null ? JsonNull.NULL : shown, "field is immutable for unsuspended job once set");
    }
    condition(was(SUCCESS) && !is(SUCCESS), "cannot disable the SuccessCriteriaMet=True condition");
    condition(
        was(COMPLETE) && !was(SUCCESS) && is(SUCCESS),
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
  }

  private void decreases(String counter) {
    var count = status.at(counter);
    if (count.integer() < count.before().integer()) {
      count.invalid(Json.of(count.integer()), "cannot decrease the " + counter + " counter");
    }
  }
}
