package dev.muster.admission.policy;

import dev.muster.admission.matching.MatchedVersion;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.EvaluationException;
import dev.muster.cel.value.JsonValues;
import dev.muster.cel.value.StructValue;
import dev.muster.model.GroupVersion;
import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.patch.JsonPatch;
import dev.muster.patch.PatchProblem;
import dev.muster.patch.ownership.ConfigurationMerge;
import dev.muster.schema.read.ObjectForm;
import dev.muster.types.Types;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies the result of a mutating policy's expression to an object in the version that the policy
 * matched.
 */
final class Mutation {
  private static final String ROOT = "Object";

  private Mutation() {}

  /**
   * The object after a JSON patch; the same instance when a {@code test} operation of the patch
   * fails.
   *
   * @throws ConfigurationException when the patch cannot be applied
   * @throws ApiException InternalError when the result is not a valid object
   */
  static JsonObject patched(JsonObject object, Object made, MatchedVersion version, Types types) {
    var operations = operations(made);
    switch (JsonPatch.parseUnchecked(operations).tryApply(object)) {
      case JsonPatch.Result.Applied applied -> {
        return read(applied.document(), object, version, types);
      }
      case JsonPatch.Result.Failed failed -> {
        if (failed.operation().equals("test") && hasParent(failed)) {
          return object;
        }
        throw new ConfigurationException("JSON Patch: " + PatchProblem.of(operations, object));
      }
    }
  }

  private static JsonArray operations(Object made) {
    if (!(made instanceof CelList list)) {
      throw new ConfigurationException(
          "type mismatch: JSONPatchType.expression should evaluate to array");
    }
    var operations = new ArrayList<Json>(list.size());
    for (int i = 0; i < list.size(); i++) {
      if (!(list.get(i) instanceof CelMap operation)) {
        throw new ConfigurationException(
            "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
      }
      var value = operation.find("value");
      if (value instanceof StructValue struct) {
        checkNames(struct, struct.type());
      }
      operations.add(json(operation));
    }
    return JsonArray.of(operations);
  }

  private static Json json(Object value) {
    try {
      return JsonValues.toJson(value);
    } catch (EvaluationException e) {
      throw new ConfigurationException(
          "JSONPath valueExpression evaluated to a type that could not marshal to JSON: "
              + e.getMessage());
    }
  }

  /** Whether the parent of the failed path exists. */
  private static boolean hasParent(JsonPatch.Result.Failed failed) {
    var steps = failed.path().split("/", -1);
    @Nullable Json at = failed.document();
    for (int i = 1; i < steps.length - 1; i++) {
      at = child(at, steps[i].replace("~1", "/").replace("~0", "~"));
    }
    return at instanceof JsonObject || at instanceof JsonArray;
  }

  private static @Nullable Json child(@Nullable Json parent, String step) {
    if (parent instanceof JsonObject object) {
      return object.get(step);
    }
    if (parent instanceof JsonArray list && step.matches("[0-9]{1,9}")) {
      int index = Integer.parseInt(step);
      return index < list.size() ? list.get(index) : null;
    }
    return null;
  }

  private static JsonObject read(
      Json document, JsonObject origin, MatchedVersion version, Types types) {
    if (!(document instanceof JsonObject changed)) {
      throw ApiException.internal("the patched document is no object");
    }
    var kind = GroupVersion.parse(changed.string("apiVersion")).kind(changed.string("kind"));
    if (kind.equals(version.kind())) {
      boolean custom = version.isOwnKind() && version.type().isCustom();
      return read(changed, origin, version.form(), custom);
    }
    var type = types.ofKind(kind);
    if (type == null) {
      throw ApiException.internal(
          "no kind "
              + GoText.quote(kind.kind())
              + " is registered for version "
              + GoText.quote(kind.apiVersion()));
    }
    read(changed, JsonObject.EMPTY, type.form(), type.isCustom());
    throw ApiException.internal(
        "failed to convert object: a " + kind.kind() + " cannot become a " + version.kind().kind());
  }

  private static JsonObject read(
      JsonObject changed, JsonObject origin, ObjectForm form, boolean custom) {
    try {
      if (custom) {
        return named(form.normal(changed, null), changed);
      }
      var typed = form.read(new Document(changed), origin.isEmpty() ? null : origin);
      if (!typed.complaints().isEmpty()) {
        throw ApiException.internal(
            "strict decoding error: " + String.join(", ", typed.complaints()));
      }
      return named(typed.object(), changed);
    } catch (DecodeException e) {
      throw ApiException.internal(e.text());
    }
  }

  private static JsonObject named(JsonObject object, JsonObject given) {
    return object.with("kind", given.string("kind")).with("apiVersion", given.string("apiVersion"));
  }

  /**
   * The object after applying an apply configuration.
   *
   * @throws ConfigurationException when the configuration does not fit the object's kind
   */
  static JsonObject applied(JsonObject object, Object made, MatchedVersion version) {
    if (!(made instanceof StructValue configuration)) {
      throw new ConfigurationException(
          "unsupported return type from ApplyConfiguration expression");
    }
    checkNames(configuration, ROOT);
    if (!(json(configuration) instanceof JsonObject wanted)) {
      throw new ConfigurationException("invalid return type");
    }
    try {
      var form = version.form();
      var merged =
          ConfigurationMerge.merge(
              form.shape(),
              object,
              wanted
                  .with("kind", version.kind().kind())
                  .with("apiVersion", version.kind().apiVersion()));
      return named(form.normal(merged, null), merged);
    } catch (MalformedValueException e) {
      throw new ConfigurationException("error applying patch: " + e.text());
    } catch (DecodeException e) {
      throw new ConfigurationException("error applying patch: " + e.text());
    }
  }

  /** Checks that the type names of a configuration follow the path of fields to it. */
  private static void checkNames(Object made, String expected) {
    var problems = new ArrayList<String>();
    checkNames(made, expected, problems);
    if (!problems.isEmpty()) {
      throw new ConfigurationException("type mismatch: " + String.join("\n", problems));
    }
  }

  private static void checkNames(Object made, String expected, List<String> problems) {
    switch (made) {
      case StructValue struct -> {
        if (!struct.type().equals(expected)) {
          problems.add(
              "unexpected type name "
                  + GoText.quote(struct.type())
                  + ", expected "
                  + GoText.quote(expected)
                  + ", which matches field name path from root Object type");
        }
        struct
            .fields()
            .forEach((name, value) -> checkNames(value, expected + "." + name, problems));
      }
      case CelList list -> {
        for (int i = 0; i < list.size(); i++) {
          checkNames(list.get(i), expected, problems);
        }
      }
      case CelMap map -> {
        for (var key : map.keys()) {
          var found = map.find(key);
          if (found != null) {
            checkNames(found, expected, problems);
          }
        }
      }
      default -> {}
    }
  }
}
