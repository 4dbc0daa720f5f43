package dev.muster.validation.batch;

import static dev.muster.validation.FieldChecks.maxBytes;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import dev.muster.model.validation.DomainNames;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rules;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.apps.Templates;
import dev.muster.validation.pods.PodSpecRules;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates the spec of a Job, also in job templates. */
final class JobSpecs {
  private static final long MOST_INDEXES = 100_000;
  private static final long MOST_WITH_MANY = 10_000;
  private static final int MOST_RULES = 20;
  private static final int LONGEST_MANAGER = 63;
  private static final int MOST_EXIT_CODES = 255;
  private static final int LONGEST_INDEXES = 64 * 1024;
  private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");
  private static final String NEEDS_INDEXES = "requires indexed completion mode";

  private JobSpecs() {}

  static void check(FieldCursor spec) {
    ValueChecks.nonNegative(
        spec,
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "backoffLimitPerIndex",
        "maxFailedIndexes");
    if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
      spec.at("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
    }
    manager(spec.at("managedBy"));
    indexes(spec);
    if (spec.has("podFailurePolicy")) {
      failures(spec);
    }
    var success = spec.at("successPolicy");
    if (success.isPresent()) {
      if (isIndexed(spec)) {
        success(spec, success.at("rules"));
      } else {
        success.invalid(NEEDS_INDEXES);
      }
    }
    var replacement = spec.at("podReplacementPolicy");
    if (spec.has("podFailurePolicy")) {
      ValueChecks.optionalChoice(replacement, "Failed");
    } else {
      ValueChecks.optionalChoice(replacement, "Failed", "TerminatingOrFailed");
    }
    PodSpecRules.template(spec.at("template"));
    restarts(spec, spec.at("template", "spec", "restartPolicy"));
  }

  private static void manager(FieldCursor manager) {
    if (manager.isPresent()) {
      Rules.report(
          manager,
          errors -> DomainNames.domainPrefixedPath(manager.path(), manager.text(), errors));
      if (GoText.bytes(manager.text()) > LONGEST_MANAGER) {
        manager.tooLong(LONGEST_MANAGER);
      }
    }
  }

  static boolean isIndexed(FieldCursor spec) {
    return spec.at("completionMode").isText("Indexed");
  }

  private static void restarts(FieldCursor spec, FieldCursor policy) {
    switch (policy.text()) {
      case "", "Always" -> policy.required("valid values: \"OnFailure\", \"Never\"");
      case "OnFailure" -> {
        if (spec.has("podFailurePolicy")) {
          policy.invalid("only \"Never\" is supported when podFailurePolicy is specified");
        }
      }
      case "Never" -> {}
      default -> policy.notSupported(List.of("OnFailure", "Never"));
    }
  }

  private static void indexes(FieldCursor spec) {
    ValueChecks.optionalChoice(spec.at("completionMode"), "NonIndexed", "Indexed");
    var completions = spec.at("completions");
    var parallelism = spec.at("parallelism");
    var failed = spec.at("maxFailedIndexes");
    var mode = spec.at("completionMode");
    if (mode.isAbsent() || mode.isText("NonIndexed")) {
      for (var name : List.of("backoffLimitPerIndex", "maxFailedIndexes")) {
        if (spec.has(name)) {
          spec.at(name).invalid(NEEDS_INDEXES);
        }
      }
    }
    if (!isIndexed(spec)) {
      return;
    }
    if (completions.isAbsent()) {
      completions.required("when completion mode is Indexed");
    }
    if (parallelism.integer() > MOST_INDEXES) {
      parallelism.invalid("must be less than or equal to 100000 when completion mode is Indexed");
    }
    if (completions.isPresent() && failed.isPresent()) {
      if (failed.integer() > completions.integer()) {
        failed.invalid("must be less than or equal to completions");
      }
    }
    if (failed.integer() > MOST_INDEXES) {
      failed.invalid("must be less than or equal to 100000");
    }
    if (completions.integer() > MOST_INDEXES && spec.has("backoffLimitPerIndex")) {
      var when = " when completions are above 100000 and used with backoff limit per index";
      if (failed.isAbsent()) {
        failed.required("must be specified when completions is above 100000");
      }
      if (parallelism.integer() > MOST_WITH_MANY) {
        parallelism.invalid("must be less than or equal to 10000" + when);
      }
      if (failed.integer() > MOST_WITH_MANY) {
        failed.invalid("must be less than or equal to 10000" + when);
      }
    }
  }

  private static void failures(FieldCursor spec) {
    var rules = spec.at("podFailurePolicy", "rules");
    if (rules.array().size() > MOST_RULES) {
      rules.tooMany(MOST_RULES);
    }
    var names = new HashSet<String>();
    for (var list : List.of("containers", "initContainers")) {
      spec.at("template", "spec", list)
          .array()
          .objects()
          .forEach(container -> names.add(container.string("name")));
    }
    for (var rule : rules.items()) {
      var action = rule.at("action");
      if (action.isEmpty()) {
        action.required("valid values: " + quoted(ACTIONS));
      } else if (action.isText("FailIndex")) {
        if (!spec.has("backoffLimitPerIndex")) {
          action.invalid("requires the backoffLimitPerIndex to be set");
        }
      } else if (!ACTIONS.contains(action.text())) {
        action.notSupported(ACTIONS);
      }
      var codes = rule.at("onExitCodes");
      var conditions = rule.at("onPodConditions");
      if (codes.isPresent()) {
        exitCodes(codes, names);
      }
      conditions(conditions);
      if (codes.isPresent() && !conditions.isEmpty()) {
        rule.report(
            FieldError.invalid(
                rule.path(), "specifying both OnExitCodes and OnPodConditions is not supported"));
      }
      if (codes.isAbsent() && conditions.isEmpty()) {
        rule.report(
            FieldError.invalid(
                rule.path(), "specifying one of OnExitCodes and OnPodConditions is required"));
      }
    }
  }

  private static String quoted(List<String> texts) {
    return "[" + String.join(" ", texts.stream().map(GoText::quote).toList()) + "]";
  }

  private static void exitCodes(FieldCursor codes, Set<String> names) {
    var operator = codes.at("operator");
    if (operator.isEmpty()) {
      operator.required("valid values: " + quoted(OPERATORS));
    } else if (!OPERATORS.contains(operator.text())) {
      operator.notSupported(OPERATORS);
    }
    var container = codes.at("containerName");
    if (container.isPresent() && !names.contains(container.text())) {
      container.invalid("must be one of the container or initContainer names in the pod template");
    }
    var values = codes.at("values");
    if (values.isEmpty()) {
      values.invalid(
          values.isAbsent() ? JsonNull.NULL : values.array(), "at least one value is required");
    } else if (values.array().size() > MOST_EXIT_CODES) {
      values.tooMany(MOST_EXIT_CODES);
    }
    var seen = new HashSet<Long>();
    boolean ordered = true;
    long last = Long.MIN_VALUE;
    for (var value : values.items()) {
      if (operator.isText("In") && value.integer() == 0) {
        value.invalid("must not be 0 for the In operator");
      }
      if (!seen.add(value.integer())) {
        value.duplicate();
      }
      ordered &= last <= value.integer();
      last = value.integer();
    }
    if (!ordered) {
      values.invalid("must be ordered");
    }
  }

  private static void conditions(FieldCursor conditions) {
    if (conditions.array().size() > MOST_RULES) {
      conditions.tooMany(MOST_RULES);
    }
    for (var condition : conditions.items()) {
      for (var problem : Names.qualifiedName(condition.at("type").text())) {
        condition.at("type").invalid(problem);
      }
      var status = condition.at("status");
      if (status.isEmpty()) {
        status.required("valid values: " + quoted(STATUSES));
      } else if (!STATUSES.contains(status.text())) {
        status.notSupported(STATUSES);
      }
    }
  }

  private static void success(FieldCursor spec, FieldCursor rules) {
    if (rules.isEmpty()) {
      rules.required("at least one rules must be specified when the successPolicy is specified");
    }
    if (rules.array().size() > MOST_RULES) {
      rules.tooMany(MOST_RULES);
    }
    long completions = spec.at("completions").integer();
    for (var rule : rules.items()) {
      var count = rule.at("succeededCount");
      var indexes = rule.at("succeededIndexes");
      if (count.isAbsent() && indexes.isAbsent()) {
        rule.required("at least one of succeededCount or succeededIndexes must be specified");
      }
      long total = 0;
      if (indexes.isPresent()) {
        maxBytes(LONGEST_INDEXES).check(indexes);
        try {
          total = JobIndexes.count(indexes.text(), completions);
        } catch (IllegalArgumentException e) {
          indexes.invalid("error parsing succeededIndexes: " + e.getMessage());
        }
      }
      if (count.isPresent()) {
        ValueChecks.nonNegative(rule, "succeededCount");
        if (count.integer() > completions) {
          count.invalid(
              "must be less than or equal to "
                  + completions
                  + " (the number of specified completions)");
        }
        if (indexes.isPresent() && count.integer() > total) {
          count.invalid(
              "must be less than or equal to "
                  + total
                  + " (the number of indexes in the specified succeededIndexes field)");
        }
      }
    }
  }

  /** Fields of a Job that cannot change. */
  static void update(FieldCursor spec) {
    var completions = spec.at("completions");
    if (!isIndexed(spec)) {
      completions.immutable();
    } else if (completions.isChanged()
        && completions.isPresent()
        && completions.integer() != spec.at("parallelism").integer()) {
      completions.invalid("can only be modified in tandem with spec.parallelism");
    }
    spec.at("selector").immutable();
    template(spec);
    for (var field :
        List.of(
            "completionMode",
            "podFailurePolicy",
            "backoffLimitPerIndex",
            "managedBy",
            "successPolicy")) {
      spec.at(field).immutable();
    }
  }

  /** The scheduling fields of the template can change until the Job first starts. */
  private static void template(FieldCursor spec) {
    var template = spec.at("template");
    var status = spec.root().at("status").before();
    boolean suspended = spec.at("suspend").before().isTrue();
    boolean paused =
        status.at("conditions").array().objects().stream()
            .anyMatch(
                condition ->
                    condition.string("type").equals("Suspended")
                        && condition.string("status").equals("True"));
    boolean idle =
        suspended && (!status.has("startTime") || paused) && status.at("active").integer() == 0;
    if (!idle) {
      template.immutable();
      return;
    }
    var now = JobTemplates.fixedPart(template.object().object("spec"));
    var before = JobTemplates.fixedPart(template.before().object().object("spec"));
    if (!now.equals(before)) {
      template
          .at("spec")
          .report(
              FieldError.invalid(
                  template.path().child("spec"),
                  template.at("spec").object(),
                  "field is immutable"));
    }
  }

  /** Validates the generated labels and selector of a Job. */
  static void generated(FieldCursor job) {
    var spec = job.at("spec");
    if (spec.at("manualSelector").isTrue() || !spec.has("selector")) {
      return;
    }
    var labels = spec.at("template", "metadata", "labels");
    var uid = job.at("metadata", "uid").text();
    var name = job.at("metadata", "name").text();
    label(labels, JobRules.UID_LABELS.getFirst(), uid);
    label(labels, JobRules.NAME_LABELS.getFirst(), name);
    boolean prefixed =
        !labels.isUpdate()
            || (labels.before().has(JobRules.UID_LABELS.getLast())
                && labels.before().has(JobRules.NAME_LABELS.getLast()));
    if (prefixed) {
      label(labels, JobRules.UID_LABELS.getLast(), uid);
      label(labels, JobRules.NAME_LABELS.getLast(), name);
    }
    var expected = JsonObject.EMPTY;
    for (var key : prefixed ? JobRules.UID_LABELS : JobRules.UID_LABELS.subList(0, 1)) {
      expected = expected.with(key, uid);
    }
    for (var key : prefixed ? JobRules.NAME_LABELS : JobRules.NAME_LABELS.subList(0, 1)) {
      expected = expected.with(key, name);
    }
    var selector = spec.at("selector");
    if (Templates.isReadable(selector)
        && !LabelSelector.ofObject(selector.object()).matches(expected)) {
      selector.invalid("`selector` not auto-generated");
    }
  }

  private static void label(FieldCursor labels, String key, String expected) {
    var label = labels.entry(key);
    if (label.isAbsent()) {
      label.required("must be '" + expected + "'");
    } else if (!label.isText(expected)) {
      label.invalid(labels.object(), "must be '" + expected + "'");
    }
  }

  /**
   * Limits the name's length for indexed Jobs, whose pods have hostnames of the name and an index.
   */
  static void hostnames(FieldCursor job) {
    var spec = job.at("spec");
    long completions = spec.at("completions").integer();
    if (isIndexed(spec) && completions > 0) {
      var name = job.at("metadata", "name");
      var longest = name.text() + "-" + (completions - 1);
      if (!Names.dnsLabel(longest).isEmpty()) {
        name.invalid(
            Json.of(name.text()), "will not able to create pod with invalid DNS label: " + longest);
      }
    }
  }
}
