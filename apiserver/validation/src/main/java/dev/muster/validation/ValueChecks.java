package dev.muster.validation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import java.util.List;
import java.util.function.Function;

/** Direct checks of the value at a field; an absent value counts as empty or 0. */
public final class ValueChecks {
  private ValueChecks() {}

  /** Reports a number as invalid; an absent one is shown as 0. */
  public static void invalidNumber(FieldCursor place, String detail) {
    place.invalid(Json.of(place.integer()), detail);
  }

  public static void nonNegative(FieldCursor place, String... fields) {
    for (var name : fields) {
      var field = place.at(name);
      if (field.integer() < 0) {
        field.invalid("must be greater than or equal to 0");
      }
    }
  }

  public static void positive(FieldCursor place) {
    if (place.integer() <= 0) {
      invalidNumber(place, "must be greater than zero");
    }
  }

  public static void required(FieldCursor place, Function<String, List<String>> form) {
    if (place.isEmpty()) {
      place.required("");
    } else {
      place.invalidEach(form.apply(place.text()));
    }
  }

  /** A required string that must be one of these. */
  public static void choice(FieldCursor place, String... texts) {
    if (place.isEmpty()) {
      place.required("");
    } else {
      optionalChoice(place, texts);
    }
  }

  /** An optional string that must be one of these. */
  public static void optionalChoice(FieldCursor place, String... texts) {
    if (place.isPresent() && !List.of(texts).contains(place.text())) {
      place.notSupported(List.of(texts));
    }
  }

  public static void notFound(FieldCursor place) {
    place.report(FieldError.notFound(place.path(), Json.of(place.text())));
  }

  /** A port by number or name. */
  public static void portOrName(FieldCursor port) {
    switch (port.value()) {
      case JsonString name -> port.invalidEach(Names.portName(name.value()));
      case JsonInteger number -> port.invalidEach(NumberRules.port(number.value()));
      case null, default -> NumberRules.port(0).forEach(problem -> invalidNumber(port, problem));
    }
  }
}
