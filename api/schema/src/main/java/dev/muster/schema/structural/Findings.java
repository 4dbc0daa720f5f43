package dev.muster.schema.structural;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * What was found about one value: the problems, and how many checks went well, by which the
 * alternative is chosen that the value is closest to. Not for several threads.
 */
final class Findings {
  private final FieldPath base;
  final List<FieldError> errors = new ArrayList<>();
  int passed;

  /**
   * @param base where the whole value stands
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

  /** The place of a part of the value, whose name begins with a dot or not. */
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

  /** A problem of the whole value that names the part itself. */
  void whole(String detail) {
    errors.add(FieldError.invalid(base, Json.of(""), detail));
  }
}
