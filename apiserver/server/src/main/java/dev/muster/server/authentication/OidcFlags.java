package dev.muster.server.authentication;

import dev.muster.authentication.jwt.AuthenticationConfiguration;
import dev.muster.authentication.jwt.AuthenticationConfiguration.ClaimMappings;
import dev.muster.authentication.jwt.AuthenticationConfiguration.ClaimRule;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Issuer;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Jwt;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Mapping;
import dev.muster.pki.Pem;
import dev.muster.server.options.authentication.OidcOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the {@code --oidc-} flags to an authentication configuration. */
public final class OidcFlags {
  private OidcFlags() {}

  /**
   * @param options that name an issuer
   */
  public static AuthenticationConfiguration configuration(OidcOptions options) {
    var authority = options.authorityFile();
    var issuer =
        new Issuer(
            orEmpty(options.issuerUrl()),
            "",
            authority == null ? "" : Pem.read(authority),
            List.of(orEmpty(options.clientId())),
            "",
            "");
    var username = new Mapping(options.usernameClaim(), usernamePrefix(options), "");
    var groups =
        options.groupsClaim() == null
            ? Mapping.NONE
            : new Mapping(options.groupsClaim(), orEmpty(options.groupsPrefix()), "");
    var rules =
        options.required().entrySet().stream()
            .map(claim -> new ClaimRule(claim.getKey(), claim.getValue(), "", ""))
            .toList();
    return new AuthenticationConfiguration(
        List.of(
            new Jwt(
                issuer,
                rules,
                new ClaimMappings(username, groups, Mapping.NONE, List.of()),
                List.of())),
        null);
  }

  /** The prefix keeps user names of different issuers apart; email addresses need none. */
  private static String usernamePrefix(OidcOptions options) {
    var given = options.usernamePrefix();
    if (given == null) {
      return options.usernameClaim().equals("email") ? "" : orEmpty(options.issuerUrl()) + "#";
    }
    return given.equals("-") ? "" : given;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
