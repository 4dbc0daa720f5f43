package dev.muster.registry.rules.workloads;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import dev.muster.registry.rules.FieldCursor;
import dev.muster.registry.rules.core.VolumeSources;
import java.util.List;
import java.util.function.Function;

/** Checks of single values that many parts of a pod's spec share. */
final class PodValues {
  private static final long MOST_MODE = 0777;

  private PodValues() {}

  /** Refuses a number; one that is absent is shown as 0. */
  static void invalidNumber(FieldCursor place, String detail) {
    place.invalid(Json.of(place.integer()), detail);
  }

  static void nonNegative(FieldCursor place, String... fields) {
    for (var name : fields) {
      var field = place.at(name);
      if (field.integer() < 0) {
        field.invalid("must be greater than or equal to 0");
      }
    }
  }

  static void positive(FieldCursor place) {
    if (place.integer() <= 0) {
      invalidNumber(place, "must be greater than zero");
    }
  }

  static void required(FieldCursor place, Function<String, List<String>> form) {
    if (place.isEmpty()) {
      place.required("");
    } else {
      place.invalidEach(form.apply(place.text()));
    }
  }

  /** A text that must be there and be one of these. */
  static void choice(FieldCursor place, String... texts) {
    if (place.isEmpty()) {
      place.required("");
    } else {
      optionalChoice(place, texts);
    }
  }

  /** A text that is one of these if the field is there. */
  static void optionalChoice(FieldCursor place, String... texts) {
    if (place.isPresent() && !List.of(texts).contains(place.text())) {
      place.notSupported(List.of(texts));
    }
  }

  static void notFound(FieldCursor place) {
    place.report(FieldError.notFound(place.path(), Json.of(place.text())));
  }

  /** A port by number or by name. */
  static void portOrName(FieldCursor port) {
    switch (port.value()) {
      case JsonString name -> port.invalidEach(Names.portName(name.value()));
      case JsonInteger number -> port.invalidEach(NumberRules.port(number.value()));
      case null, default -> NumberRules.port(0).forEach(problem -> invalidNumber(port, problem));
    }
  }

  static void fileMode(FieldCursor mode) {
    if (mode.isPresent() && (mode.integer() < 0 || mode.integer() > MOST_MODE)) {
      mode.invalid("must be a number between 0 and 0777 (octal), both inclusive");
    }
  }

  /** A path below something, which does not lead upwards. */
  static void descending(FieldCursor shown, String path) {
    var place = shown.with(Json.of(path));
    if (path.startsWith("/")) {
      place.invalid("must be a relative path");
    }
    VolumeSources.noWayUp(place);
  }

  /** The path leads down, and its first part does not start like the way upwards. */
  static void unreserved(FieldCursor shown, String path) {
    descending(shown, path);
    if (path.startsWith("..") && !path.startsWith("../")) {
      shown.invalid(Json.of(path), "must not start with '..'");
    }
  }
}
