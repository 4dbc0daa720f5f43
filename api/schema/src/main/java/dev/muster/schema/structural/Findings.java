package dev.muster.schema.structural;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * The errors of one value and its number of passed checks. That number selects the alternative of
 * anyOf or oneOf that is closest to the value. Only one thread uses it.
 */
final class Findings {
  private final FieldPath base;
  final List<FieldError> errors = new ArrayList<>();
  int passed;

  /**
   * @param base the path of the whole value
   */
  Findings(FieldPath base) {
    this.base = base;
  }

  Findings fresh() {
    return new Findings(base);
  }

  boolean isSound() {
    return errors.isEmpty();
  }

  void add(Findings other) {
    errors.addAll(other.errors);
    passed += other.passed;
  }

  /** The path of a part of the value. Its name may start with a dot. */
  FieldPath at(String name) {
    if (name.isEmpty() || name.equals(".")) {
      return base;
    }
    return base.child(name.startsWith(".") ? name.substring(1) : name);
  }

  void invalid(String name, Json value, String detail) {
    errors.add(FieldError.invalid(at(name), value, name + " in body " + detail));
  }

  void type(String name, String wanted, String found) {
    errors.add(
        FieldError.typeInvalid(
            at(name),
            Json.of(found),
            name + " in body must be of type " + wanted + ": " + GoText.quote(found)));
  }

  /** An error at the whole value, whose message names the part. */
  void whole(String detail) {
    errors.add(FieldError.invalid(base, Json.of(""), detail));
  }
}
