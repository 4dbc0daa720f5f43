package dev.muster.authentication.jwt;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the file of {@code --authentication-config} says, or the {@code --oidc-} flags in its words.
 * Texts that are not given are "". Immutable.
 *
 * @param anonymous null when nothing is said about requests without credentials
 */
public record AuthenticationConfiguration(List<Jwt> jwt, @Nullable Anonymous anonymous) {
  public static final AuthenticationConfiguration NONE =
      new AuthenticationConfiguration(List.of(), null);

  public AuthenticationConfiguration {
    jwt = List.copyOf(jwt);
  }

  /**
   * Who sends no credentials.
   *
   * @param paths the only ones that such a request may be about; empty for all
   */
  public record Anonymous(boolean enabled, List<String> paths) {
    public Anonymous {
      paths = List.copyOf(paths);
    }
  }

  /** An issuer, and what its tokens say about users. */
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
   * Who signs.
   *
   * @param discoveryUrl of its discovery document, when that is not where the URL says
   * @param certificateAuthority in PEM, of those who sign its certificate; "" for this machine's
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

  /** A claim with one value, or an expression over all of them that must be true. */
  public record ClaimRule(String claim, String requiredValue, String expression, String message) {}

  /** An expression over the user that must be true. */
  public record UserRule(String expression, String message) {}

  /** Where the parts of a user come from. */
  public record ClaimMappings(
      Mapping username, Mapping groups, Mapping uid, List<ExtraMapping> extra) {
    public ClaimMappings {
      extra = List.copyOf(extra);
    }
  }

  /**
   * A claim or an expression.
   *
   * @param prefix null when none is given, which is not the same as an empty one
   */
  public record Mapping(String claim, @Nullable String prefix, String expression) {
    public static final Mapping NONE = new Mapping("", null, "");
  }

  public record ExtraMapping(String key, String valueExpression) {}
}
