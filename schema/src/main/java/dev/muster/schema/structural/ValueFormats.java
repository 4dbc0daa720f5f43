package dev.muster.schema.structural;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.go.GoDuration;
import dev.muster.model.go.GoUrl;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.IpRules;
import dev.muster.model.validation.Names;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The formats of texts that are checked; texts of other formats are taken as they are. */
final class ValueFormats {
  private static final String HEX = "[0-9a-fA-F]";
  private static final String UUID =
      HEX + "{8}-?" + HEX + "{4}-?%s" + HEX + "{3}-?%s" + HEX + "{3}-?" + HEX + "{12}";
  private static final Map<String, Predicate<String>> KNOWN =
      Map.ofEntries(
          Map.entry("ipv4", text -> text.indexOf(':') < 0 && passes(text, ValueFormats::ip)),
          Map.entry("ipv6", text -> text.indexOf(':') >= 0 && passes(text, ValueFormats::ip)),
          Map.entry("cidr", text -> passes(text, ValueFormats::cidr)),
          Map.entry("mac", matches("(" + HEX + "{2}[:-]){5}" + HEX + "{2}")),
          Map.entry("uuid", matches(UUID.formatted(HEX, HEX))),
          Map.entry("uuid3", matches(UUID.formatted("3", HEX))),
          Map.entry("uuid4", matches(UUID.formatted("4", "[89abAB]"))),
          Map.entry("uuid5", matches(UUID.formatted("5", "[89abAB]"))),
          Map.entry("hexcolor", matches("#?(" + HEX + "{3}|" + HEX + "{6})")),
          Map.entry("hostname", matches("[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?")),
          Map.entry("email", matches("[^@\\s]+@[^@\\s]+")),
          Map.entry("uri", ValueFormats::isUri),
          Map.entry("byte", ValueFormats::isBase64),
          Map.entry("date", ValueFormats::isDate),
          Map.entry("date-time", ValueFormats::isTime),
          Map.entry("datetime", ValueFormats::isTime),
          Map.entry("duration", ValueFormats::isDuration),
          Map.entry("k8s-short-name", text -> Names.dnsLabel(text).isEmpty()),
          Map.entry("k8s-long-name", text -> Names.dnsSubdomain(text).isEmpty()));

  private ValueFormats() {}

  static boolean isSound(String format, String text) {
    var known = KNOWN.get(format);
    return known == null || known.test(text);
  }

  private static Predicate<String> matches(String pattern) {
    return Pattern.compile(pattern).asMatchPredicate();
  }

  private static boolean passes(String text, BiConsumer<String, List<FieldError>> rule) {
    var errors = new ArrayList<FieldError>();
    rule.accept(text, errors);
    return errors.isEmpty();
  }

  private static void ip(String text, List<FieldError> errors) {
    IpRules.ip(FieldPath.ROOT, text, errors);
  }

  private static void cidr(String text, List<FieldError> errors) {
    IpRules.cidr(FieldPath.ROOT, text, errors);
  }

  private static boolean isUri(String text) {
    try {
      var url = GoUrl.parse(text);
      return !url.scheme().isEmpty() || text.startsWith("/");
    } catch (MalformedValueException e) {
      return false;
    }
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text);
      return !text.isEmpty() && text.length() % 4 == 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return text.length() == 10;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    try {
      Timestamps.parse(text);
      return true;
    } catch (MalformedValueException e) {
      return false;
    }
  }

  private static boolean isDuration(String text) {
    try {
      GoDuration.parse(text);
      return true;
    } catch (MalformedValueException e) {
      return false;
    }
  }
}
