package dev.muster.server.options.authentication;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One OpenID Connect provider, configured by flags. */
@FlagGroup("OpenID Connect")
public record OidcOptions(
    @Flag(name = "oidc-issuer-url", help = "The provider: an https URL, as its tokens name it.")
        @Nullable String issuerUrl,
    @Flag(name = "oidc-client-id", help = "The audience that its tokens must be for.")
        @Nullable String clientId,
    @Flag(
            name = "oidc-ca-file",
            file = FileKind.CERTIFICATES,
            help =
                "PEM bundle of the authorities that sign the provider's certificate. Unset: those"
                    + " of this machine.")
        @Nullable Path authorityFile,
    @Flag(name = "oidc-username-claim", help = "The claim with the user's name.")
        String usernameClaim,
    @Flag(
            name = "oidc-username-prefix",
            help =
                "Stands before every user name. Unset: the issuer's URL and a #, but nothing before"
                    + " the claim email. \"-\": nothing.")
        @Nullable String usernamePrefix,
    @Flag(
            name = "oidc-groups-claim",
            help = "The claim with the user's groups, one or a list. Unset: none.")
        @Nullable String groupsClaim,
    @Flag(name = "oidc-groups-prefix", help = "Stands before every group.")
        @Nullable String groupsPrefix,
    @Flag(
            name = "oidc-signing-algs",
            help =
                "Algorithms with which tokens may be signed: RS256, RS384, RS512, ES256, ES384,"
                    + " ES512, PS256, PS384, PS512.")
        List<String> signingAlgorithms,
    @Flag(
            name = "oidc-required-claim",
            forms = Flag.Form.ELEMENT_PER_USE,
            help = "claim=value that a token must have. Repeatable.")
        List<String> requiredClaims) {
  private static final Set<String> ALGORITHMS =
      Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512");

  public OidcOptions {
    signingAlgorithms = List.copyOf(signingAlgorithms);
    requiredClaims = List.copyOf(requiredClaims);
    for (var algorithm : signingAlgorithms) {
      if (!ALGORITHMS.contains(algorithm)) {
        throw new IllegalArgumentException(
            "--oidc-signing-algs: oidc: unsupported signing alg: \"" + algorithm + "\"");
      }
    }
    for (var claim : requiredClaims) {
      if (claim.indexOf('=') < 0) {
        throw new IllegalArgumentException(
            "--oidc-required-claim: malformed pair, expect string=string");
      }
    }
    boolean others =
        authorityFile != null
            || usernamePrefix != null
            || groupsClaim != null
            || groupsPrefix != null
            || !requiredClaims.isEmpty();
    if ((issuerUrl == null) != (clientId == null) || (issuerUrl == null && others)) {
      throw new IllegalArgumentException(
          "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are"
              + " set");
    }
  }

  public static OidcOptions defaults() {
    return new OidcOptions(null, null, null, "sub", null, null, null, List.of("RS256"), List.of());
  }

  public boolean isGiven() {
    return issuerUrl != null;
  }

  /** The required values of claims; the last value given for a claim counts. */
  public Map<String, String> required() {
    var required = new LinkedHashMap<String, String>();
    for (var claim : requiredClaims) {
      int equals = claim.indexOf('=');
      required.put(claim.substring(0, equals).strip(), claim.substring(equals + 1).strip());
    }
    return required;
  }
}
