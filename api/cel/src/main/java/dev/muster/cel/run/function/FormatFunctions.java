package dev.muster.cel.run.function;

import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelOptional;
import dev.muster.cel.value.CelUrl;
import dev.muster.cel.value.NamedFormat;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Timestamps;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.TextFormats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Functions for named string formats. */
public final class FormatFunctions {
  private static final Pattern UUID =
      Pattern.compile(
          "[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}");

  /** The lengths of upstream's patterns, which determine the costs. */
  private static final int LABEL = 30;

  private static final int SUBDOMAIN = 60;
  private static final int TIME = 71;

  private static final Map<String, NamedFormat> ALL = all();

  private FormatFunctions() {}

  private static Map<String, NamedFormat> all() {
    var all = new HashMap<String, NamedFormat>();
    all.put("dns1123Label", new NamedFormat("DNS1123Label", LABEL, Names::dnsLabel));
    all.put(
        "dns1123Subdomain", new NamedFormat("DNS1123Subdomain", SUBDOMAIN, Names::dnsSubdomain));
    all.put("dns1035Label", new NamedFormat("DNS1035Label", LABEL, Names::dns1035Label));
    all.put("qualifiedName", new NamedFormat("QualifiedName", SUBDOMAIN, Names::qualifiedName));
    all.put(
        "dns1123LabelPrefix",
        new NamedFormat("DNS1123LabelPrefix", LABEL, text -> Names.dnsLabel(unfinished(text))));
    all.put(
        "dns1123SubdomainPrefix",
        new NamedFormat(
            "DNS1123SubdomainPrefix", SUBDOMAIN, text -> Names.dnsSubdomain(unfinished(text))));
    all.put(
        "dns1035LabelPrefix",
        new NamedFormat("DNS1035LabelPrefix", LABEL, text -> Names.dns1035Label(unfinished(text))));
    all.put("labelValue", new NamedFormat("LabelValue", 40, Names::labelValue));
    all.put("uri", new NamedFormat("URI", 1103, FormatFunctions::uriProblems));
    all.put("uuid", checked("uuid", 70, UUID.asMatchPredicate(), "does not match the UUID format"));
    all.put("byte", checked("byte", 84, TextFormats::isBase64, "invalid base64"));
    all.put("date", checked("date", TIME, TextFormats::isDate, "invalid date"));
    all.put("datetime", checked("datetime", TIME, FormatFunctions::isTime, "invalid datetime"));
    return Map.copyOf(all);
  }

  private static NamedFormat checked(
      String name, int size, Predicate<String> test, String problem) {
    return new NamedFormat(name, size, text -> test.test(text) ? List.of() : List.of(problem));
  }

  /**
   * Replaces the end of a {@code generateName} prefix, which may end with characters that a name
   * cannot end with.
   */
  private static String unfinished(String text) {
    return text.length() > 1 && text.endsWith("-")
        ? text.substring(0, text.length() - 2) + "a"
        : text;
  }

  public static void addTo(Map<String, Function> all) {
    ALL.forEach((name, format) -> all.put("format." + name, values -> format));
    all.put(
        "format.named",
        values -> {
          var found = ALL.get((String) values[0]);
          return found == null ? CelOptional.NONE : new CelOptional(found);
        });
    all.put(
        "validate",
        values -> {
          var problems = ((NamedFormat) values[0]).problems().apply((String) values[1]);
          return problems.isEmpty() ? CelOptional.NONE : new CelOptional(CelList.of(problems));
        });
  }

  private static List<String> uriProblems(String text) {
    try {
      CelUrl.parse(text);
      return List.of();
    } catch (MalformedValueException e) {
      return List.of(String.valueOf(e.getMessage()));
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
}
