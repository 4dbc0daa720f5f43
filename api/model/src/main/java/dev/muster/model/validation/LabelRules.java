package dev.muster.model.validation;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.List;

/** Validates labels, annotations and label selectors of an object. */
public final class LabelRules {
  /** The maximum total bytes of the keys and values of an object's annotations. */
  public static final int MOST_ANNOTATION_BYTES = 256 * 1024;

  private LabelRules() {}

  public static void labels(JsonObject labels, FieldPath path, List<FieldError> errors) {
    for (int i = 0; i < labels.size(); i++) {
      key(labels.key(i), path, errors);
      if (labels.value(i) instanceof JsonString value) {
        for (var problem : Names.labelValue(value.value())) {
          errors.add(FieldError.invalid(path, value.value(), problem));
        }
      }
    }
  }

  public static void key(String key, FieldPath path, List<FieldError> errors) {
    for (var problem : Names.qualifiedName(key)) {
      errors.add(FieldError.invalid(path, key, problem));
    }
  }

  public static void annotations(JsonObject annotations, FieldPath path, List<FieldError> errors) {
    long size = 0;
    for (int i = 0; i < annotations.size(); i++) {
      var key = annotations.key(i);
      for (var problem : Names.qualifiedName(GoText.lowerCase(key))) {
        errors.add(FieldError.invalid(path, key, problem));
      }
      size += GoText.bytes(key);
      if (annotations.value(i) instanceof JsonString value) {
        size += GoText.bytes(value.value());
      }
    }
    if (size > MOST_ANNOTATION_BYTES) {
      errors.add(FieldError.tooLong(path, MOST_ANNOTATION_BYTES));
    }
  }

  /** A selector in the object form with {@code matchLabels} and {@code matchExpressions}. */
  public static void selector(JsonObject selector, FieldPath path, List<FieldError> errors) {
    selector(selector, path, true, errors);
  }

  /**
   * @param checkValues whether the values of expressions must be valid label values; false where
   *     the old object has an invalid one
   */
  public static void selector(
      JsonObject selector, FieldPath path, boolean checkValues, List<FieldError> errors) {
    labels(selector.object("matchLabels"), path.child("matchLabels"), errors);
    var expressions = selector.array("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      var at = path.child("matchExpressions").index(i);
      expression(expressions.object(i), at, checkValues, errors);
    }
  }

  private static void expression(
      JsonObject expression, FieldPath path, boolean checkValues, List<FieldError> errors) {
    var operator = expression.string("operator");
    var values = expression.array("values");
    switch (operator) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          errors.add(
              FieldError.required(
                  path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'"));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          errors.add(
              FieldError.forbidden(
                  path.child("values"),
                  "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
        }
      }
      default ->
          errors.add(
              FieldError.invalidTyped(
                  path.child("operator"), operator, "not a valid selector operator"));
    }
    key(expression.string("key"), path.child("key"), errors);
    if (checkValues) {
      var texts = values.strings();
      for (int i = 0; i < texts.size(); i++) {
        for (var problem : Names.labelValue(texts.get(i))) {
          errors.add(FieldError.invalid(path.child("values").index(i), texts.get(i), problem));
        }
      }
    }
  }

  /** Whether an expression of the selector has an invalid label value. */
  public static boolean hasInvalidValue(JsonObject selector) {
    return selector.array("matchExpressions").objects().stream()
        .flatMap(expression -> expression.array("values").strings().stream())
        .anyMatch(value -> !Names.labelValue(value).isEmpty());
  }
}
