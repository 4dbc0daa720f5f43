package dev.muster.schema.structural;

import dev.muster.model.MalformedValueException;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.gocompat.GoUrl;
import dev.muster.model.gocompat.OpenApiDuration;
import dev.muster.model.validation.Names;
import dev.muster.model.validation.TextFormats;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Validates the formats of texts that kube-apiserver checks; accepts texts of other formats.
 * Ignores hyphens in the name of a format.
 */
final class ValueFormats {
  private static final String HEX = "[0-9a-fA-F]";
  private static final String UUID =
      HEX + "{8}-?" + HEX + "{4}-?%s" + HEX + "{3}-?%s" + HEX + "{3}-?" + HEX + "{12}";
  private static final String LETTER = "[a-zA-Z0-9\\p{S}\\p{L}]";
  private static final String INNER = "[a-zA-Z0-9\\p{S}\\p{L}-]";
  private static final Pattern HOST =
      Pattern.compile(
          "X(-?X{0,62})?|(X(Y{0,61}X)?\\.)+X(-?X){1,62}".replace("X", LETTER).replace("Y", INNER));
  private static final String SHADE = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
  private static final Pattern TIME_OF_DAY =
      Pattern.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})");
  private static final Map<String, Predicate<String>> KNOWN =
      Map.ofEntries(
          Map.entry("bsonobjectid", matches(HEX + "{24}")),
          Map.entry("ipv4", text -> text.indexOf('.') >= 0 && Ip.parseLegacy(text) != null),
          Map.entry("ipv6", text -> text.indexOf(':') >= 0 && isStandardIp(text)),
          Map.entry("cidr", text -> Cidr.parseLegacy(text) != null),
          Map.entry("mac", ValueFormats::isMac),
          Map.entry("uuid", matches(UUID.formatted(HEX, HEX))),
          Map.entry("uuid3", matches(UUID.formatted("3", HEX))),
          Map.entry("uuid4", matches(UUID.formatted("4", "[89abAB]"))),
          Map.entry("uuid5", matches(UUID.formatted("5", "[89abAB]"))),
          Map.entry("isbn", text -> CheckDigits.isBook10(text) || CheckDigits.isBook13(text)),
          Map.entry("isbn10", CheckDigits::isBook10),
          Map.entry("isbn13", CheckDigits::isBook13),
          Map.entry("creditcard", CheckDigits::isCard),
          Map.entry("ssn", matches("\\d{3}[- ]\\d{2}[- ]\\d{4}")),
          Map.entry("hexcolor", matches("#?(" + HEX + "{3}|" + HEX + "{6})")),
          Map.entry("rgbcolor", matches("rgb\\(" + SHADE + "," + SHADE + "," + SHADE + "\\)")),
          Map.entry("hostname", ValueFormats::isHost),
          Map.entry("email", MailAddress::isOne),
          Map.entry("uri", ValueFormats::isUri),
          Map.entry("byte", TextFormats::isBase64),
          Map.entry("date", TextFormats::isDate),
          Map.entry("datetime", ValueFormats::isTime),
          Map.entry("duration", ValueFormats::isDuration),
          Map.entry("k8sshortname", text -> Names.dnsLabel(text).isEmpty()),
          Map.entry("k8slongname", text -> Names.dnsSubdomain(text).isEmpty()));

  private ValueFormats() {}

  static boolean isSound(String format, String text) {
    var known = KNOWN.get(format.indexOf('-') < 0 ? format : format.replace("-", ""));
    return known == null || known.test(text);
  }

  private static Predicate<String> matches(String pattern) {
    return Pattern.compile(pattern).asMatchPredicate();
  }

  /** Any address that Go reads without leading zeros; only IPv4 and CIDR formats allow them. */
  private static boolean isStandardIp(String text) {
    var ip = Ip.parseLegacy(text);
    return ip != null && ip.standard();
  }

  /** 6, 8 or 20 bytes as pairs of hex digits, or as groups of four separated by dots. */
  private static boolean isMac(String text) {
    int each = text.indexOf('.') >= 0 ? 2 : 1;
    var separator = each == 2 ? "\\." : text.indexOf('-') >= 0 ? "-" : ":";
    var group = HEX + "{" + 2 * each + "}";
    int groups = (text.length() + 1) / (2 * each + 1);
    return Set.of(6, 8, 20).contains(groups * each)
        && text.matches(group + "(" + separator + group + "){" + (groups - 1) + "}");
  }

  private static boolean isHost(String text) {
    if (GoText.bytes(text) > 255 || !HOST.matcher(text).matches()) {
      return false;
    }
    for (var label : text.split("\\.", -1)) {
      if (GoText.bytes(label) > 63) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUri(String text) {
    if (text.equals("*")) {
      return true;
    }
    try {
      var url = GoUrl.parse(text);
      return !url.scheme().isEmpty() || text.startsWith("/");
    } catch (MalformedValueException e) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    var parts = text.toLowerCase(Locale.ROOT).split("t", -1);
    if (parts.length < 2 || !TextFormats.isDate(parts[0])) {
      return false;
    }
    var time = TIME_OF_DAY.matcher(parts[1]);
    return time.matches()
        && time.group(1).compareTo("23") <= 0
        && time.group(2).compareTo("59") <= 0
        && time.group(3).compareTo("59") <= 0;
  }

  private static boolean isDuration(String text) {
    try {
      OpenApiDuration.parse(text);
      return true;
    } catch (MalformedValueException e) {
      return false;
    }
  }
}
