package dev.muster.server.options;

import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The settings of CORS, HSTS and GOAWAY. */
@FlagGroup("Browsers and connections")
public record BrowserOptions(
    @Flag(
            name = "cors-allowed-origins",
            help =
                "Origins of pages that may use this server from a browser, as regular expressions,"
                    + " each anchored with ^ or //. Unset: none.")
        List<String> allowedOrigins,
    @Flag(
            name = "strict-transport-security-directives",
            help =
                "What the header Strict-Transport-Security says, for example"
                    + " max-age=31536000,includeSubDomains,preload. Unset: no such header.")
        List<String> transportSecurity,
    @Flag(
            name = "goaway-chance",
            help =
                "How likely a request over HTTP/2 is the last one of its connection, so that"
                    + " clients spread over the servers behind a load balancer; at most 0.02.")
        double goAwayChance) {

  private static final double MOST_GOAWAYS = 0.02;
  private static final Pattern DIRECTIVE =
      Pattern.compile("max-age=[0-9]+|includeSubDomains|preload");

  public BrowserOptions {
    allowedOrigins = List.copyOf(allowedOrigins);
    transportSecurity = List.copyOf(transportSecurity);
    for (var origin : allowedOrigins) {
      check(origin);
    }
    for (var directive : transportSecurity) {
      if (!DIRECTIVE.matcher(directive).matches()) {
        throw new IllegalArgumentException(
            "--strict-transport-security-directives: invalid, allowed values:"
                + " max-age=expireTime, includeSubDomains, preload");
      }
    }
    if (!(goAwayChance >= 0 && goAwayChance <= MOST_GOAWAYS)) {
      throw new IllegalArgumentException(
          "--goaway-chance: can not be less than 0 or greater than 0.02");
    }
  }

  private static void check(String origin) {
    if (!origin.startsWith("^") && !origin.contains("//")) {
      throw new IllegalArgumentException(
          "--cors-allowed-origins: \""
              + origin
              + "\" has neither a start anchor '^' nor the '//' that divides scheme and host");
    }
    try {
      Pattern.compile(origin);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "--cors-allowed-origins: \"" + origin + "\" is no regular expression: " + e.getMessage(),
          e);
    }
  }

  public static BrowserOptions defaults() {
    return new BrowserOptions(List.of(), List.of(), 0);
  }
}
