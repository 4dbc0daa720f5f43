package dev.muster.registry.custom;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.structural.Correlation;
import dev.muster.schema.structural.ListUniqueness;
import dev.muster.schema.structural.SchemaValidation;
import dev.muster.schema.structural.StructuralSchema;
import dev.muster.types.ObjectMeta;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Generation;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import dev.muster.validation.schema.EmbeddedObjects;
import dev.muster.validation.schema.RuleEvaluation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The strategy of a custom resource. It works on objects in the version of the request. An update
 * does not fail because of values that it leaves unchanged.
 */
final class CustomStrategy implements Strategy {
  private static final Rule ANY_UPDATE = Rules.plainMetadataUpdate();
  private static final Set<FieldError.Type> BLOCKING =
      EnumSet.of(
          FieldError.Type.NOT_SUPPORTED,
          FieldError.Type.REQUIRED,
          FieldError.Type.TOO_LONG,
          FieldError.Type.TOO_MANY,
          FieldError.Type.TYPE_INVALID);
  private static final Set<String> KNOWN_FINALIZERS =
      Set.of("orphan", "foregroundDeletion", "kubernetes");
  private static final FieldPath NOWHERE = new FieldPath("<nil>");

  private final GroupVersionKind kind;
  private final VersionSchema schema;
  private final CustomForm form;
  private final boolean hasStatus;
  private final ScaleRules scale;
  private final Rule anyObject;
  private final Rule metadata;

  /**
   * @param hasStatus whether the status subresource is enabled
   */
  CustomStrategy(
      GroupVersionKind kind,
      boolean namespaced,
      VersionSchema schema,
      CustomForm form,
      boolean hasStatus,
      ScaleRules scale) {
    this.kind = kind;
    this.schema = schema;
    this.form = form;
    this.hasStatus = hasStatus;
    this.scale = scale;
    this.anyObject = Rules.plainMetadata(namespaced, NameRule.PATH_SEGMENT);
    this.metadata = Rules.plainMetadata(namespaced, NameRule.DNS_SUBDOMAIN);
  }

  @Override
  public JsonObject defaults(JsonObject object) {
    return form.filled(object);
  }

  @Override
  public JsonObject prepareForCreate(JsonObject object) {
    var prepared = hasStatus ? object.without("status") : object;
    return prepared.withAt(Json.of(1), "metadata", "generation");
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject object, JsonObject old) {
    var prepared = object;
    if (hasStatus) {
      var status = old.get("status");
      prepared = status == null ? prepared.without("status") : prepared.with("status", status);
    }
    boolean changed = !prepared.without("metadata").equals(old.without("metadata"));
    return Generation.with(prepared, old, changed);
  }

  @Override
  public JsonObject prepareForStatusUpdate(JsonObject object, JsonObject old) {
    var owners = object.object("metadata").get("managedFields");
    var kept = ObjectMeta.with(old, "managedFields", owners);
    var status = object.get("status");
    return status == null ? kept.without("status") : kept.with("status", status);
  }

  @Override
  public void validateCreate(JsonObject object, List<FieldError> errors) {
    var place = FieldCursor.of(object, null, errors);
    var found = new ArrayList<FieldError>();
    if (isOfKind(object, found)) {
      metadata.check(FieldCursor.of(object, null, found));
      found.addAll(SchemaValidation.create(object, schema.structural(), FieldPath.ROOT));
      scale.checkSpec(object, found);
      scale.checkStatus(object, found);
    }
    EmbeddedObjects.check(object, embedding(), FieldPath.ROOT, found);
    ListUniqueness.check(object, schema.structural(), FieldPath.ROOT, found);
    rules(object, null, found, warning -> {});
    addAll(found, errors);
    if (errors.isEmpty()) {
      anyObject.check(place);
    }
  }

  @Override
  public void validateUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {
    validateUpdate(object, old, errors, warning -> {});
  }

  @Override
  public void validateUpdate(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    var place = FieldCursor.of(object, old, errors);
    anyObject.check(place);
    ANY_UPDATE.check(place);
    var found = new ArrayList<FieldError>();
    if (isOfKind(object, found)) {
      ANY_UPDATE.check(FieldCursor.of(object, old, found));
      var compared = Correlation.of(object, old, schema.structural());
      found.addAll(SchemaValidation.update(compared, object, schema.structural(), FieldPath.ROOT));
      scale.checkSpec(object, found);
      scale.checkStatus(object, found);
    }
    EmbeddedObjects.check(object, embedding(), FieldPath.ROOT, found);
    if (!repeats(old)) {
      ListUniqueness.check(object, schema.structural(), FieldPath.ROOT, found);
    }
    rules(object, old, found, warnings);
    addAll(found, errors);
  }

  @Override
  public void validateStatusUpdate(JsonObject object, JsonObject old, List<FieldError> errors) {
    validateStatusUpdate(object, old, errors, warning -> {});
  }

  @Override
  public void validateStatusUpdate(
      JsonObject object, JsonObject old, List<FieldError> errors, Consumer<String> warnings) {
    var place = FieldCursor.of(object, old, errors);
    anyObject.check(place);
    ANY_UPDATE.check(place);
    var found = new ArrayList<FieldError>();
    if (isOfKind(object, found)) {
      ANY_UPDATE.check(FieldCursor.of(object, old, found));
      status(object, old, found);
      scale.checkStatus(object, found);
    }
    var repeated = new ArrayList<FieldError>();
    ListUniqueness.check(object, schema.structural(), FieldPath.ROOT, repeated);
    if (!repeated.isEmpty() && !repeats(old)) {
      found.addAll(repeated);
    }
    rules(object, old, found, warnings);
    addAll(found, errors);
  }

  private void status(JsonObject object, JsonObject old, List<FieldError> found) {
    var status = object.get("status");
    var part = schema.structural().properties().get("status");
    if (status == null || part == null) {
      return;
    }
    var before = old.get("status");
    var at = FieldPath.of("status");
    found.addAll(
        before == null
            ? SchemaValidation.create(status, part, at)
            : SchemaValidation.update(Correlation.of(status, before, part), status, part, at));
  }

  private @Nullable StructuralSchema embedding() {
    return schema.hasEmbedded() ? schema.structural() : null;
  }

  /** An error about the object as a whole has no path; Go prints {@code <nil>} for it. */
  private static void addAll(List<FieldError> found, List<FieldError> errors) {
    for (var error : found) {
      errors.add(
          error.path().isEmpty()
              ? new FieldError(error.type(), NOWHERE.text(), error.body())
              : error);
    }
  }

  private boolean repeats(JsonObject object) {
    var found = new ArrayList<FieldError>();
    ListUniqueness.check(object, schema.structural(), FieldPath.ROOT, found);
    return !found.isEmpty();
  }

  private void rules(
      JsonObject object,
      @Nullable JsonObject old,
      List<FieldError> found,
      Consumer<String> warnings) {
    var rules = schema.rules();
    if (rules == null) {
      return;
    }
    if (found.stream().anyMatch(error -> BLOCKING.contains(error.type()))) {
      found.add(
          FieldError.invalid(
              NOWHERE,
              JsonNull.NULL,
              "some validation rules were not checked because the object was invalid; correct the"
                  + " existing errors to complete validation"));
    } else {
      found.addAll(RuleEvaluation.check(object, old, rules, warnings));
    }
  }

  /** Whether the kind matches; if not, this is the only error reported. */
  private boolean isOfKind(JsonObject object, List<FieldError> errors) {
    mustBe("kind", object.string("kind"), kind.kind(), errors);
    mustBe("apiVersion", object.string("apiVersion"), kind.apiVersion(), errors);
    return errors.isEmpty();
  }

  private static void mustBe(String field, String is, String wanted, List<FieldError> errors) {
    if (!is.equals(wanted)) {
      errors.add(FieldError.invalid(FieldPath.of(field), is, "must be " + wanted));
    }
  }

  @Override
  public List<String> warnings(JsonObject object, @Nullable JsonObject old) {
    var added = new TreeSet<>(ObjectMeta.finalizers(object));
    if (old != null) {
      added.removeAll(Set.copyOf(ObjectMeta.finalizers(old)));
    }
    var warnings = new ArrayList<String>();
    for (var finalizer : added) {
      var place = "metadata.finalizers: " + GoText.quote(finalizer) + ": ";
      Names.qualifiedName(finalizer).forEach(problem -> warnings.add(place + problem));
      if (finalizer.indexOf('/') < 0 && !KNOWN_FINALIZERS.contains(finalizer)) {
        warnings.add(
            place
                + "prefer a domain-qualified finalizer name "
                + (finalizer.indexOf('.') < 0 ? "" : "including a path (/) ")
                + "to avoid accidental conflicts with other finalizer writers");
      }
    }
    return warnings;
  }

  @Override
  public List<String> statusWarnings(JsonObject object, JsonObject old) {
    return List.of();
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return false;
  }
}
