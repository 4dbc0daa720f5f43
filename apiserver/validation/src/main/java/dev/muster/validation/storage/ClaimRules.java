package dev.muster.validation.storage;

import static dev.muster.validation.Default.absent;
import static dev.muster.validation.Default.in;
import static dev.muster.validation.Default.make;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.dnsLabel;
import static dev.muster.validation.FieldChecks.dnsSubdomain;
import static dev.muster.validation.FieldChecks.oneOf;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.ifPresent;
import static dev.muster.validation.Rules.ifSet;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;
import static dev.muster.validation.Rules.required;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.Default;
import dev.muster.validation.Difference;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Resources;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** The strategy of PersistentVolumeClaims. */
public final class ClaimRules {
  private static final String STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";
  private static final List<String> RESIZING =
      List.of(
          "ControllerResizeInProgress",
          "ControllerResizeInfeasible",
          "NodeResizeInProgress",
          "NodeResizeInfeasible",
          "NodeResizePending");

  /** Defaults of a claim's spec, also in templates. */
  public static final Default SPEC_DEFAULTS =
      Default.all(
          absent("volumeMode", "Filesystem"),
          in("resources", Resources.rounded("limits"), Resources.rounded("requests")));

  private static final Rule REFERENCE =
      Rule.all(required("name", ""), required("kind", ""), ClaimRules::reference);

  /** Rules of a claim's spec, also in templates. */
  public static final Rule SPEC =
      Rule.all(
          spec -> {
            if (spec.at("accessModes").isEmpty()) {
              spec.at("accessModes").required("at least 1 access mode is required");
            }
          },
          ifPresent("selector", ClaimRules::selector),
          spec -> AccessModes.known(spec.at("accessModes")),
          ClaimRules::size,
          ifSet("storageClassName", dnsSubdomain()),
          field("volumeMode", oneOf("Block", "Filesystem")),
          ifPresent("dataSource", REFERENCE),
          ifPresent("dataSourceRef", REFERENCE, ifSet("namespace", dnsLabel())),
          ClaimRules::sameSource,
          ifSet("volumeAttributesClassName", dnsSubdomain()));

  private static final Rule CLAIM =
      Rule.all(namespacedMetadata(NameRule.DNS_SUBDOMAIN), field("spec", SPEC));

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(EmptyFields.at("spec.resources.requests"))
          .defaults(
              make(
                  "status",
                  value("phase", "Pending"),
                  Resources.rounded("capacity"),
                  Resources.rounded("allocatedResources")),
              make("spec", SPEC_DEFAULTS))
          .status()
          .prepareCreate(ClaimRules::created)
          .prepareUpdate(ClaimRules::updated)
          .create(CLAIM)
          .update(metadataUpdate(), CLAIM, ClaimRules::fixed)
          .statusUpdate(metadataUpdate(), field("status", ClaimRules::status))
          .warnings(ClaimRules::warnings)
          .statusWarnings()
          .answersDeleteWithObject()
          .build();

  private ClaimRules() {}

  private static JsonObject created(JsonObject claim) {
    return claim
        .with("spec", normalized(withoutOddSource(claim.object("spec"))))
        .with("status", JsonObject.of("phase", "Pending"));
  }

  private static JsonObject updated(JsonObject claim, JsonObject old) {
    var before = old.object("spec");
    var spec = claim.object("spec");
    boolean inUse = before.has("dataSource") || before.has("dataSourceRef");
    return claim.with("spec", normalized(inUse ? spec : withoutOddSource(spec)));
  }

  /**
   * Drops data sources of unknown kinds, as older servers did, and those in other namespaces, whose
   * feature is disabled by default.
   */
  private static JsonObject withoutOddSource(JsonObject spec) {
    var kept =
        spec.object("dataSourceRef").string("namespace").isEmpty()
            ? spec
            : spec.without("dataSourceRef");
    var source = kept.object("dataSource");
    boolean known =
        (source.string("kind").equals("PersistentVolumeClaim")
                && source.string("apiGroup").isEmpty())
            || (source.string("kind").equals("VolumeSnapshot")
                && source.string("apiGroup").equals("snapshot.storage.k8s.io"));
    return kept.has("dataSourceRef") || known ? kept : kept.without("dataSource");
  }

  /** Sets both {@code dataSource} and {@code dataSourceRef}; older servers wrote only one. */
  public static JsonObject withBothSources(JsonObject claim) {
    var spec = claim.object("spec");
    var both = normalized(spec);
    return both == spec ? claim : claim.with("spec", both);
  }

  /** Makes both fields equal. */
  private static JsonObject normalized(JsonObject spec) {
    if (spec.has("dataSource") && !spec.has("dataSourceRef")) {
      return spec.with("dataSourceRef", spec.object("dataSource"));
    }
    return spec.has("dataSourceRef")
            && !spec.has("dataSource")
            && spec.object("dataSourceRef").string("namespace").isEmpty()
        ? spec.with("dataSource", spec.object("dataSourceRef").without("namespace"))
        : spec;
  }

  private static void selector(FieldCursor selector) {
    boolean check = !LabelRules.hasInvalidValue(selector.before().object());
    Rules.report(
        selector, errors -> LabelRules.selector(selector.object(), selector.path(), check, errors));
  }

  private static void size(FieldCursor spec) {
    var requests = spec.at("resources", "requests");
    var at = spec.at("resources").entry("storage").with(requests.entry("storage").value());
    if (!requests.has("storage")) {
      at.required("");
      return;
    }
    var amount = Resources.amount(at);
    if (amount.signum() <= 0) {
      at.invalid(Json.of(amount.toString()), "must be greater than zero");
    }
  }

  private static void reference(FieldCursor source) {
    var group = source.at("apiGroup");
    if (group.isEmpty()) {
      if (!source.at("kind").isText("PersistentVolumeClaim")) {
        source.invalid(
            Json.of(source.at("kind").text()),
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
      }
    } else {
      dnsSubdomain().check(group);
    }
  }

  private static void sameSource(FieldCursor spec) {
    var source = spec.at("dataSource").object();
    var reference = spec.at("dataSourceRef").object();
    if (!spec.has("dataSource") || !spec.has("dataSourceRef")) {
      return;
    }
    var detail =
        !reference.string("namespace").isEmpty()
            ? "may not be specified when dataSourceRef.namespace is specified"
            : !source.equals(reference.without("namespace")) ? "must match dataSourceRef" : "";
    if (!detail.isEmpty()) {
      spec.invalid(JsonObject.EMPTY, detail);
    }
  }

  private static void fixed(FieldCursor claim) {
    var spec = claim.at("spec").object();
    var old = normalized(claim.at("spec").before().object());
    var bound = claim.at("status", "phase").isText("Bound");
    storageClassAnnotation(claim);
    var compared = comparable(claim, spec, old, bound);
    var comparedOld = comparable(claim, old, old, bound);
    if (!compared.equals(comparedOld)) {
      claim
          .at("spec")
          .forbidden(
              "spec is immutable after creation except resources.requests and"
                  + " volumeAttributesClassName for bound claims"
                  + Difference.between(comparedOld, compared));
    }
    var requests = claim.at("spec", "resources", "requests", "storage");
    var capacity = claim.at("status", "capacity", "storage").before();
    if (Resources.amount(requests).compareTo(Resources.amount(requests.before())) < 0
        && Resources.amount(requests).compareTo(Resources.amount(capacity)) <= 0) {
      requests.forbidden("field can not be less than status.capacity");
    }
    BareFields.immutable(claim, "volumeMode");
    var name = claim.at("spec", "volumeAttributesClassName");
    if (name.isChanged()
        && claim.at("status").before().has("currentVolumeAttributesClassName")
        && name.isEmpty()) {
      name.forbidden(
          "update to "
              + (name.isAbsent() ? "nil" : "empty string")
              + " is forbidden when status.currentVolumeAttributesClassName is not nil");
    }
  }

  private static boolean movesFromAnnotation(FieldCursor claim) {
    var annotation = claim.at("metadata", "annotations").entry(STORAGE_CLASS);
    var name = claim.at("spec", "storageClassName");
    return annotation.old() != null
        && name.old() == null
        && name.isText(annotation.before().text())
        && (annotation.isAbsent() || !annotation.isChanged());
  }

  private static void storageClassAnnotation(FieldCursor claim) {
    var annotation = claim.at("metadata", "annotations").entry(STORAGE_CLASS);
    if (!movesFromAnnotation(claim) && !annotation.text().equals(annotation.before().text())) {
      claim
          .at("metadata", "annotations", STORAGE_CLASS)
          .invalid(Json.of(annotation.text()), MetadataRules.IMMUTABLE);
    }
  }

  /** The spec without the fields that can change. */
  private static JsonObject comparable(
      FieldCursor claim, JsonObject given, JsonObject old, boolean bound) {
    var spec = given;
    if (old.string("volumeName").isEmpty()) {
      spec = spec.without("volumeName");
    }
    var annotation = claim.at("metadata", "annotations").entry(STORAGE_CLASS).before();
    var newName = claim.at("spec", "storageClassName");
    boolean fromNothing =
        newName.isPresent()
            && !old.has("storageClassName")
            && (annotation.isAbsent() || newName.isText(annotation.text()));
    if (movesFromAnnotation(claim) || fromNothing) {
      spec = spec.without("storageClassName");
    }
    if (bound) {
      spec =
          spec.withoutAt("resources", "requests", "storage").without("volumeAttributesClassName");
    }
    return canonical(canonical(spec, "requests"), "limits");
  }

  /** The spec with quantities in canonical form, so that equal ones have equal texts. */
  private static JsonObject canonical(JsonObject spec, String list) {
    var result = spec;
    var amounts = spec.object("resources", list);
    for (int i = 0; i < amounts.size(); i++) {
      var amount = Resources.parse(amounts.value(i));
      if (amount != null) {
        result = result.withAt(Json.of(amount.canonical()), "resources", list, amounts.key(i));
      }
    }
    return result;
  }

  private static void status(FieldCursor status) {
    if (status.root().at("spec", "accessModes").isEmpty()) {
      status.report(FieldError.required(FieldPath.of("Spec", "accessModes"), ""));
    }
    status.at("capacity").entries().forEach(ClaimRules::amount);
    var statuses = status.at("allocatedResourceStatuses");
    for (var entry : statuses.entries()) {
      resource(entry, statuses);
      if (!RESIZING.contains(entry.text())) {
        statuses.report(FieldError.notSupported(statuses.path(), entry.name(), RESIZING));
      }
    }
    var allocated = status.at("allocatedResources");
    for (var entry : allocated.entries()) {
      if (resource(entry, allocated)) {
        Rules.steps(ClaimRules::amount, Resources::nonNegative).check(entry);
      }
    }
  }

  private static void amount(FieldCursor entry) {
    long value = Resources.amount(entry).value();
    if (value < 0) {
      entry.invalid(Json.of(value), "must be a valid resource quantity");
    }
  }

  private static boolean resource(FieldCursor entry, FieldCursor list) {
    var name = entry.name();
    var problems = Names.qualifiedName(name);
    problems.forEach(problem -> list.invalid(Json.of(name), problem));
    if (problems.isEmpty() && Resources.isNative(name) && !name.equals("storage")) {
      list.report(FieldError.notSupported(list.path(), name, List.of("storage")));
      return false;
    }
    return problems.isEmpty();
  }

  private static void warnings(FieldCursor claim) {
    var annotation = claim.at("metadata", "annotations").entry(STORAGE_CLASS);
    if (annotation.isPresent()) {
      claim.warn(
          annotation.path()
              + ": deprecated since v1.8; use \"storageClassName\" attribute instead");
    }
    specWarnings(claim.at("spec"));
  }

  /** Warns about quantities that are no whole number of bytes. */
  public static void specWarnings(FieldCursor spec) {
    for (var list : List.of("requests", "limits")) {
      var entry = spec.at("resources", list).entry("storage");
      var amount = Resources.amount(entry);
      if (amount.milliValue() % 1000 != 0) {
        entry.warn(
            entry.path()
                + ": fractional byte value "
                + GoText.quote(amount.toString())
                + " is invalid, must be an integer");
      }
    }
  }
}
