package dev.muster.cel.run.function;

import dev.muster.cel.value.CelUrl;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.MalformedValueException;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoAddress;
import dev.muster.model.gocompat.GoText;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Functions for IP addresses, CIDRs and URLs. */
public final class NetworkFunctions {
  private NetworkFunctions() {}

  public static void addTo(Map<String, Function> all) {
    all.put("ip", values -> values[0] instanceof Cidr range ? range.address() : ip(values[0]));
    all.put("isIP", values -> passes(() -> ip(values[0])));
    all.put("ip.isCanonical", values -> ip(values[0]).toString().equals(values[0]));
    all.put("family", values -> ((Ip) values[0]).isFour() ? 4L : 6L);
    all.put("isUnspecified", is(Ip::isUnspecified));
    all.put("isLoopback", is(Ip::isLoopback));
    all.put("isLinkLocalMulticast", is(Ip::isLinkLocalMulticast));
    all.put("isLinkLocalUnicast", is(Ip::isLinkLocalUnicast));
    all.put("isGlobalUnicast", is(Ip::isGlobalUnicast));
    all.put("cidr", values -> cidr(values[0]));
    all.put("isCIDR", values -> passes(() -> cidr(values[0])));
    all.put(
        "containsIP",
        values ->
            ((Cidr) values[0])
                .contains(values[1] instanceof Ip ip ? ip : argument(() -> ip(values[1]))));
    all.put(
        "containsCIDR",
        values ->
            ((Cidr) values[0])
                .contains(
                    values[1] instanceof Cidr range ? range : argument(() -> cidr(values[1]))));
    all.put("prefixLength", values -> (long) ((Cidr) values[0]).prefix());
    all.put("masked", values -> ((Cidr) values[0]).masked());
    all.put("url", values -> url(values[0]));
    all.put("isURL", values -> isUrl(values[0]));
    all.put("getScheme", values -> ((CelUrl) values[0]).parts().scheme());
    all.put("getHost", values -> ((CelUrl) values[0]).parts().host());
    all.put("getHostname", values -> ((CelUrl) values[0]).hostname());
    all.put("getPort", values -> ((CelUrl) values[0]).port());
    all.put("getEscapedPath", values -> ((CelUrl) values[0]).parts().path());
    all.put("getQuery", values -> ((CelUrl) values[0]).query());
  }

  private static Function is(Predicate<Ip> test) {
    return values -> test.test((Ip) values[0]);
  }

  /** Like upstream, the error does not tell why a text is invalid. */
  private static <T> T argument(Supplier<T> read) {
    try {
      return read.get();
    } catch (EvaluationException e) {
      throw EvaluationException.noSuchOverload();
    }
  }

  private static boolean passes(Runnable parse) {
    try {
      parse.run();
      return true;
    } catch (EvaluationException e) {
      return false;
    }
  }

  private static Ip ip(Object value) {
    var text = (String) value;
    int zone = text.indexOf('%');
    var ip = Ip.parseLegacy(zone < 0 ? text : text.substring(0, zone));
    var problem = GoAddress.problem(text);
    if (ip == null || problem != null) {
      throw new EvaluationException(
          "IP Address "
              + GoText.quote(text)
              + " parse error during conversion from string: "
              + problem);
    }
    if (zone >= 0) {
      throw new EvaluationException(
          "IP address " + GoText.quote(text) + " with zone value is not allowed");
    }
    if (ip.mapped()) {
      throw mapped(text);
    }
    return ip;
  }

  private static EvaluationException mapped(String text) {
    return new EvaluationException(
        "IPv4-mapped IPv6 address " + GoText.quote(text) + " is not allowed");
  }

  private static Cidr cidr(Object value) {
    var text = (String) value;
    var range = Cidr.parseLegacy(text);
    var problem = GoAddress.prefixProblem(text);
    var failure = "network address parse error during conversion from string: ";
    if (range == null || problem != null) {
      throw new EvaluationException(failure + failure + problem);
    }
    if (range.address().mapped()) {
      throw new EvaluationException(failure + mapped(text).getMessage());
    }
    return range;
  }

  /** A CIDR as it was written, including bits beyond its prefix. */
  static String text(Cidr range) {
    return range.address() + "/" + range.prefix();
  }

  private static CelUrl url(Object value) {
    try {
      return CelUrl.parse((String) value);
    } catch (MalformedValueException e) {
      throw new EvaluationException(
          "URL parse error during conversion from string: " + e.getMessage());
    }
  }

  private static boolean isUrl(Object value) {
    return passes(() -> url(value));
  }
}
