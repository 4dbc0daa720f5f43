package dev.muster.authentication.jwt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of the {@code --authentication-config} file, or the {@code --oidc-} flags in the same
 * form. Texts that are not set are "". Immutable.
 *
 * @param anonymous null when the file does not configure anonymous requests
 */
public record AuthenticationConfiguration(List<Jwt> jwt, @Nullable Anonymous anonymous) {
  public static final AuthenticationConfiguration NONE =
      new AuthenticationConfiguration(List.of(), null);

  public AuthenticationConfiguration {
    jwt = List.copyOf(jwt);
  }

  /**
   * The setting for anonymous requests.
   *
   * @param paths the only paths that accept such a request; empty for all paths
   */
  public record Anonymous(boolean enabled, List<String> paths) {
    public Anonymous {
      paths = List.copyOf(paths);
    }
  }

  /** An issuer and the mapping from its tokens to users. */
  public record Jwt(
      Issuer issuer,
      List<ClaimRule> claimValidationRules,
      ClaimMappings claimMappings,
      List<UserRule> userValidationRules) {
    public Jwt {
      claimValidationRules = List.copyOf(claimValidationRules);
      userValidationRules = List.copyOf(userValidationRules);
    }
  }

  /**
   * The issuer of tokens.
   *
   * @param discoveryUrl the URL of the discovery document, when it differs from the issuer's
   * @param certificateAuthority PEM of the authorities for the issuer's TLS certificate; "" for the
   *     system's
   */
  public record Issuer(
      String url,
      String discoveryUrl,
      String certificateAuthority,
      List<String> audiences,
      String audienceMatchPolicy,
      String egressSelectorType) {
    public Issuer {
      audiences = List.copyOf(audiences);
    }
  }

  /** A claim with a required value, or an expression over all claims that must be true. */
  public record ClaimRule(String claim, String requiredValue, String expression, String message) {}

  /** An expression over the user that must be true. */
  public record UserRule(String expression, String message) {}

  /** The sources of the parts of a user. */
  public record ClaimMappings(
      Mapping username, Mapping groups, Mapping uid, List<ExtraMapping> extra) {
    public ClaimMappings {
      extra = List.copyOf(extra);
    }
  }

  /**
   * A claim or an expression.
   *
   * @param prefix null when none is set, which differs from an empty prefix
   */
  public record Mapping(String claim, @Nullable String prefix, String expression) {
    public static final Mapping NONE = new Mapping("", null, "");
  }

  public record ExtraMapping(String key, String valueExpression) {}
}
