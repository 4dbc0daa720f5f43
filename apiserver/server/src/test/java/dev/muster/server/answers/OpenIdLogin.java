package dev.muster.server.answers;

import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.authentication.OidcOptions;
import dev.muster.testing.OpenIdProvider;
import java.util.List;
import java.util.function.UnaryOperator;

/** Options with which the tokens of an OpenID provider, and bootstrap tokens, are taken. */
final class OpenIdLogin {
  private OpenIdLogin() {}

  static UnaryOperator<ApiServerOptions> of(OpenIdProvider provider, String... algorithms) {
    var oidc =
        new OidcOptions(
            provider.issuer(),
            OpenIdProvider.AUDIENCE,
            provider.authorityFile(),
            "sub",
            "-",
            "groups",
            null,
            List.of(algorithms),
            List.of());
    return options ->
        options.withAuthentication(
            options.authentication().withBootstrapTokens(true).withOidc(oidc));
  }
}
