package dev.muster.validation;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonString;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.LabelRules;
import dev.muster.model.validation.MetadataRules;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.NumberRules;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;

/**
 * Rules about the value at a field. An absent value passes all of them except {@link #required}.
 */
public final class FieldChecks {
  private FieldChecks() {}

  public static Rule required() {
    return required("");
  }

  public static Rule required(String detail) {
    return place -> {
      if (place.isEmpty()) {
        place.required(detail);
      }
    };
  }

  /** The string is one of these; the message lists them in this order. */
  public static Rule oneOf(String... texts) {
    var supported = List.of(texts);
    return place -> {
      if (place.isPresent() && !supported.contains(place.text())) {
        place.notSupported(supported);
      }
    };
  }

  /** The string passes a check of {@link Names}, which returns the problems. */
  public static Rule text(Function<String, List<String>> form) {
    return place -> {
      if (place.value() instanceof JsonString string) {
        place.invalidEach(form.apply(string.value()));
      }
    };
  }

  public static Rule dnsLabel() {
    return text(Names::dnsLabel);
  }

  public static Rule dnsSubdomain() {
    return text(Names::dnsSubdomain);
  }

  public static Rule qualifiedName() {
    return text(Names::qualifiedName);
  }

  /** Every key of a map passes a check; errors are reported at {@code map[key]}. */
  public static Rule keys(Function<String, List<String>> form) {
    return place -> {
      for (var entry : place.entries()) {
        for (var problem : form.apply(entry.name())) {
          entry.invalid(Json.of(entry.name()), problem);
        }
      }
    };
  }

  public static Rule range(long least, long most) {
    return place -> {
      if (place.value() instanceof JsonInteger number) {
        place.invalidEach(NumberRules.range(number.value(), least, most));
      }
    };
  }

  public static Rule port() {
    return range(1, 65535);
  }

  public static Rule nonNegative() {
    return atLeast(0, "must be greater than or equal to 0");
  }

  public static Rule atLeast(long least, String detail) {
    return place -> {
      if (place.value() instanceof JsonInteger number && number.value() < least) {
        place.invalid(detail);
      }
    };
  }

  public static Rule atMost(long most, String detail) {
    return place -> {
      if (place.value() instanceof JsonInteger number && number.value() > most) {
        place.invalid(detail);
      }
    };
  }

  public static Rule maxBytes(int most) {
    return place -> {
      if (GoText.bytes(place.text()) > most) {
        place.tooLong(most);
      }
    };
  }

  public static Rule maxItems(int most) {
    return place -> {
      if (place.array().size() > most) {
        place.tooMany(most);
      }
    };
  }

  /** The list has no duplicates; the second of two equal items is refused. */
  public static Rule uniqueItems() {
    return place -> {
      var seen = new HashSet<Object>();
      for (var item : place.items()) {
        if (item.value() != null && !seen.add(item.value())) {
          item.duplicate();
        }
      }
    };
  }

  /** No two items of the list have the same string in that field; empty strings may repeat. */
  public static Rule unique(String field) {
    return place -> {
      var seen = new HashSet<String>();
      for (var item : place.items()) {
        var at = item.at(field);
        if (!at.isEmpty() && !seen.add(at.text())) {
          at.duplicate();
        }
      }
    };
  }

  public static Rule labels() {
    return place ->
        Rules.report(place, errors -> LabelRules.labels(place.object(), place.path(), errors));
  }

  public static Rule annotations() {
    return place ->
        Rules.report(place, errors -> LabelRules.annotations(place.object(), place.path(), errors));
  }

  /** A selector with matchLabels and matchExpressions. */
  public static Rule selector() {
    return place ->
        Rules.report(place, errors -> LabelRules.selector(place.object(), place.path(), errors));
  }

  /** An IP address in canonical form. */
  public static Rule ip() {
    return place -> Rules.report(place, errors -> IpRules.ip(place.path(), place.text(), errors));
  }

  /** A CIDR in canonical form. */
  public static Rule cidr() {
    return place -> Rules.report(place, errors -> IpRules.cidr(place.path(), place.text(), errors));
  }

  /** Refuses any change. */
  public static Rule immutable() {
    return FieldCursor::immutable;
  }

  public static Rule immutable(String detail) {
    return place -> place.immutable(detail);
  }

  /**
   * Refuses any change of a string whose Go type cannot tell absent from empty; an absent value is
   * shown as empty.
   */
  public static Rule immutableText() {
    return place -> {
      if (!place.text().equals(place.before().text())) {
        place.invalid(Json.of(place.text()), MetadataRules.IMMUTABLE);
      }
    };
  }

  public static Rule forbidden(String detail) {
    return place -> {
      if (!place.isEmpty()) {
        place.forbidden(detail);
      }
    };
  }
}
