package dev.muster.validation.batch;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.computed;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Default.when;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Rule;
import dev.muster.validation.apps.Templates;
import dev.muster.validation.pods.PodDefaults;
import dev.muster.validation.pods.scheduling.Scheduling;
import java.util.List;

/** The strategy of Jobs. */
public final class JobRules {
  static final List<String> NAME_LABELS = List.of("job-name", "batch.kubernetes.io/job-name");
  static final List<String> UID_LABELS =
      List.of("controller-uid", "batch.kubernetes.io/controller-uid");
  private static final String ORPHAN_WARNING =
      "child pods are preserved by default when jobs are deleted; set"
          + " propagationPolicy=Background to remove them or set propagationPolicy=Orphan to"
          + " suppress this warning";

  /** Defaults of a Job spec, also in job templates. */
  static final Default TEMPLATED =
      Default.all(
          in("podFailurePolicy", each("rules", each("onPodConditions", value("status", "True")))),
          make("template", PodDefaults.TEMPLATE));

  private static final Default SPEC =
      Default.all(
          when(
              spec -> !spec.has("completions") && !spec.has("parallelism"),
              value("completions", 1)),
          value("parallelism", 1),
          computed(
              "backoffLimit",
              spec -> Json.of(spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6)),
          absent("completionMode", "NonIndexed"),
          value("suspend", false),
          when(spec -> spec.has("podFailurePolicy"), absent("podReplacementPolicy", "Failed")),
          absent("podReplacementPolicy", "TerminatingOrFailed"),
          value("manualSelector", false),
          TEMPLATED);

  /** The fields of a Job spec in which empty differs from absent. */
  static final EmptyFields EXIT_CODES = EmptyFields.at("podFailurePolicy.rules.onExitCodes.values");

  private static final Rule METADATA = namespacedMetadata(NameRule.DNS_SUBDOMAIN);

  public static final Strategy STRATEGY =
      Templates.workload()
          .emptyFields(EXIT_CODES.under("spec").and(Templates.EMPTY_FIELDS))
          .defaults(Default.code(JobRules::labels), make("spec", SPEC))
          .prepareCreate(job -> labels(Templates.created(selecting(job))))
          .prepareStatusUpdate((job, old) -> labels(job))
          .create(JobRules::checked)
          .update(
              JobRules::checked, metadataUpdate(), field("spec", JobRules::spec, JobSpecs::update))
          .statusUpdate(metadataUpdate(), JobStatusRules::check)
          .orphansDependents(ORPHAN_WARNING)
          .warnings(JobWarnings::job)
          .build();

  private JobRules() {}

  private static void checked(FieldCursor job) {
    METADATA.check(hasGeneratedLabels(job) ? withoutLabels(job) : job);
    JobSpecs.generated(job);
    spec(job.at("spec"));
    JobSpecs.hostnames(job);
  }

  /** Whether a new Job has only generated labels; their errors are reported at the template. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean hasGeneratedLabels(FieldCursor job) {
    var labels = job.at("metadata", "labels");
    return !job.isUpdate()
        && labels.value() == job.at("spec", "template", "metadata", "labels").value()
        && labels.object().size() == NAME_LABELS.size() + UID_LABELS.size()
        && NAME_LABELS.stream().allMatch(labels::has)
        && UID_LABELS.stream().allMatch(labels::has);
  }

  private static FieldCursor withoutLabels(FieldCursor job) {
    return job.with(job.object().withoutAt("metadata", "labels"));
  }

  private static void spec(FieldCursor spec) {
    JobSpecs.check(spec);
    var selector = spec.at("selector");
    if (selector.isAbsent()) {
      selector.required("");
    } else {
      Scheduling.selector(selector);
    }
    if (Templates.isReadable(selector)) {
      Templates.matches(spec.at("template"), selector);
    }
  }

  private static JsonObject labels(JsonObject job) {
    var labels = job.object("spec", "template", "metadata", "labels");
    return labels.isEmpty() || !job.object("metadata", "labels").isEmpty()
        ? job
        : job.withAt(labels, "metadata", "labels");
  }

  /** Generates a selector for the Job's uid, unless the client sets its own. */
  private static JsonObject selecting(JsonObject job) {
    if (job.object("spec").isTrue("manualSelector")) {
      return job;
    }
    var metadata = job.object("metadata");
    var labels = generated(job);
    var selected = job.object("spec", "selector", "matchLabels");
    if (!selected.has(UID_LABELS.getLast())) {
      selected = selected.with(UID_LABELS.getLast(), metadata.string("uid"));
    }
    var selecting =
        job.withAt(labels, "spec", "template", "metadata", "labels")
            .withAt(selected, "spec", "selector", "matchLabels");
    if (sharesLabels(job)) {
      return selecting.withAt(labels, "metadata", "labels");
    }
    boolean sentEmpty = job.at("spec", "template", "metadata", "labels") != null;
    return sentEmpty && job.object("metadata", "labels").isEmpty()
        ? selecting.withAt(generated(job), "metadata", "labels")
        : selecting;
  }

  /** Adds the labels of the Job's pods to the template. */
  private static JsonObject generated(JsonObject job) {
    var metadata = job.object("metadata");
    var labels = job.object("spec", "template", "metadata", "labels");
    for (var label : NAME_LABELS) {
      labels = labels.has(label) ? labels : labels.with(label, metadata.string("name"));
    }
    for (var label : UID_LABELS) {
      labels = labels.has(label) ? labels : labels.with(label, metadata.string("uid"));
    }
    return labels;
  }

  /** Whether the Job's labels are the same instance as the template's, rather than equal. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean sharesLabels(JsonObject job) {
    var labels = job.object("metadata").get("labels");
    return labels != null && labels == job.at("spec", "template", "metadata", "labels");
  }
}
