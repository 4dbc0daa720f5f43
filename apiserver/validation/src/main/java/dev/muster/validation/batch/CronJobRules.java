package dev.muster.validation.batch;

import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ValueChecks;
import dev.muster.validation.apps.Templates;
import dev.muster.validation.pods.DisabledFields;
import dev.muster.validation.pods.PodSpecRules;
import java.util.regex.Pattern;

/** The strategy of CronJobs. */
public final class CronJobRules {
  private static final Pattern ZONE = Pattern.compile("[A-Za-z.\\-_0-9+]{1,14}");
  private static final String[] POD = {"spec", "jobTemplate", "spec", "template", "spec"};

  private static final Default DEFAULTS =
      make(
          "spec",
          value("concurrencyPolicy", "Allow"),
          value("suspend", false),
          value("successfulJobsHistoryLimit", 3),
          value("failedJobsHistoryLimit", 1),
          make("jobTemplate", make("spec", JobRules.TEMPLATED)));

  public static final Strategy STRATEGY =
      Templates.workload()
          .emptyFields(
              PodSpecRules.EMPTY_FIELDS
                  .under("template.spec")
                  .and(JobRules.EXIT_CODES)
                  .under("spec.jobTemplate.spec"))
          .defaults(DEFAULTS)
          .prepareCreate(object -> DisabledFields.droppedAt(object, JsonObject.EMPTY, POD))
          .prepareUpdate((object, old) -> DisabledFields.droppedAt(object, old, POD))
          .create(
              namespacedMetadata(NameRule.DNS_SUBDOMAIN),
              field("spec", CronJobRules::spec),
              CronJobRules::shortName)
          .update(metadataUpdate(), field("spec", CronJobRules::spec))
          .warnings(JobWarnings::cronJob)
          .statusWarnings()
          .build();

  private CronJobRules() {}

  private static void spec(FieldCursor spec) {
    var schedule = spec.at("schedule");
    if (schedule.isEmpty()) {
      schedule.required("");
    } else {
      schedule(schedule, spec.has("timeZone"));
    }
    ValueChecks.nonNegative(spec, "startingDeadlineSeconds");
    var zone = spec.at("timeZone");
    if (zone.isPresent() && (!zone.isUpdate() || zone.isChanged())) {
      zone(zone);
    }
    ValueChecks.choice(spec.at("concurrencyPolicy"), "Allow", "Forbid", "Replace");
    var job = spec.at("jobTemplate", "spec");
    JobSpecs.check(job);
    if (job.has("selector")) {
      job.at("selector").invalid("`selector` will be auto-generated");
    }
    if (job.at("manualSelector").isTrue()) {
      var field = job.at("manualSelector");
      field.report(
          new FieldError(
              FieldError.Type.NOT_SUPPORTED,
              field.path().text(),
              "Unsupported value: true: supported values: \"nil\", \"false\""));
    }
    ValueChecks.nonNegative(spec, "successfulJobsHistoryLimit", "failedJobsHistoryLimit");
  }

  private static void schedule(FieldCursor schedule, boolean hasZone) {
    var problem = CronSchedule.problem(schedule.text());
    if (!problem.isEmpty()) {
      schedule.invalid(problem);
    }
    if (!schedule.text().contains("TZ")) {
      return;
    }
    if (!schedule.before().text().contains("TZ")) {
      schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
    } else if (hasZone) {
      schedule.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule");
    }
  }

  private static void zone(FieldCursor zone) {
    var name = zone.text();
    if (name.isEmpty()) {
      zone.invalid("timeZone must be nil or non-empty string");
      return;
    }
    for (var part : name.split("/", -1)) {
      if (part.equals(".")
          || part.equals("..")
          || part.startsWith("-")
          || !ZONE.matcher(part).matches()) {
        zone.invalid("unknown time zone " + name);
        return;
      }
    }
    if (name.equalsIgnoreCase("Local")) {
      zone.invalid(
          "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
    }
    var problem = TimeZones.problem(name);
    if (!problem.isEmpty()) {
      zone.invalid(problem);
    }
  }

  /** Limits the name's length, because job names append a time to it. */
  private static void shortName(FieldCursor job) {
    var name = job.at("metadata", "name");
    if (name.text().length() > 52) {
      name.invalid("must be no more than 52 characters");
    }
  }
}
