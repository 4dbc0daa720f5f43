package dev.muster.types.options;

import dev.muster.model.GroupKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.MetadataRules;
import java.util.ArrayList;
import java.util.List;

/** The options of create, update and patch requests. */
public record WriteOptions(
    boolean dryRun, String fieldManager, Strictness fieldValidation, boolean force) {

  /** How unknown and duplicate fields are treated. */
  public enum Strictness {
    IGNORE,
    WARN,
    STRICT
  }

  /**
   * @param kind CreateOptions, UpdateOptions or PatchOptions
   * @param apply whether this is a server-side apply, which needs a field manager
   */
  public static WriteOptions parse(Query query, String kind, boolean apply) {
    var errors = new ArrayList<FieldError>();
    boolean patch = kind.equals("PatchOptions");
    if (patch && !apply && query.has("force")) {
      errors.add(
          FieldError.forbidden(FieldPath.of("force"), "may not be specified for non-apply patch"));
    }
    var manager = query.first("fieldManager");
    if (apply && manager.isEmpty()) {
      errors.add(FieldError.required(FieldPath.of("fieldManager"), "is required for apply patch"));
    }
    MetadataRules.fieldManager(manager, FieldPath.of("fieldManager"), errors);
    boolean dryRun = checkDryRun(query.has("dryRun"), query.all("dryRun"), errors);
    var strictness = strictness(query.first("fieldValidation"), errors);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(new GroupKind("meta.k8s.io", kind), "", errors);
    }
    return new WriteOptions(dryRun, manager, strictness, query.isTrue("force"));
  }

  /** These options as the object that admission sees. */
  public JsonObject asObject(String kind) {
    var object = JsonObject.builder().put("kind", kind).put("apiVersion", "meta.k8s.io/v1");
    if (dryRun) {
      object.put("dryRun", JsonArray.of(Json.of("All")));
    }
    return object
        .putIf("fieldManager", fieldManager)
        .putIf("fieldValidation", shown(fieldValidation))
        .build();
  }

  /** The default is left out, as if the client had not set it. */
  private static String shown(Strictness strictness) {
    return switch (strictness) {
      case IGNORE -> "Ignore";
      case WARN -> "";
      case STRICT -> "Strict";
    };
  }

  /** Whether this is a dry run; any value but {@code All} is an error. */
  static boolean checkDryRun(boolean given, List<String> values, List<FieldError> errors) {
    if (!given) {
      return false;
    }
    for (var value : values) {
      if (!value.equals("All")) {
        errors.add(
            new FieldError(
                FieldError.Type.NOT_SUPPORTED,
                "dryRun",
                "Unsupported value: "
                    + JsonArray.ofStrings(values)
                    + ": supported values: \"All\""));
        break;
      }
    }
    return !values.isEmpty();
  }

  private static Strictness strictness(String text, List<FieldError> errors) {
    return switch (text) {
      case "Ignore" -> Strictness.IGNORE;
      case "", "Warn" -> Strictness.WARN;
      case "Strict" -> Strictness.STRICT;
      default -> {
        errors.add(
            FieldError.notSupported(
                FieldPath.of("fieldValidation"), text, List.of("", "Ignore", "Strict", "Warn")));
        yield Strictness.WARN;
      }
    };
  }
}
