package dev.muster.server.options;

import dev.muster.server.options.authentication.OidcOptions;
import dev.muster.server.options.authentication.RequestHeaderOptions;
import dev.muster.server.options.authentication.TokenWebhookOptions;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The methods by which users authenticate. */
@FlagGroup("Authentication")
public record AuthenticationOptions(
    @Flag(
            name = "client-ca-file",
            file = FileKind.CERTIFICATES,
            help =
                "PEM bundle of authorities; a client certificate signed by one of them is the user"
                    + " named by its CommonName, in the groups named by its Organizations.")
        @Nullable Path clientCaFile,
    @Flag(
            name = "token-auth-file",
            file = FileKind.TEXT,
            help = "CSV file of static tokens: token,user,uid[,\"group,group\"].")
        @Nullable Path tokenFile,
    @Flag(
            name = "anonymous-auth",
            help =
                "Let requests without credentials through to authorization as system:anonymous in"
                    + " the group system:unauthenticated. Switched off with"
                    + " --authorization-mode=AlwaysAllow; not to be given when the file of"
                    + " --authentication-config says it.")
        boolean anonymous,
    @Flag(
            name = "api-audiences",
            help =
                "Identifiers of this API; a service account token must be bound to one of them."
                    + " Unset: the issuers.")
        List<String> audiences,
    @Flag(
            name = "enable-bootstrap-token-auth",
            help =
                "Accept the tokens in secrets of type bootstrap.kubernetes.io/token in the"
                    + " namespace kube-system.")
        boolean bootstrapTokens,
    @Flag(
            name = "authentication-config",
            file = FileKind.TEXT,
            help =
                "File with an AuthenticationConfiguration: issuers of JSON web tokens, and which"
                    + " requests may be anonymous. Read again when it changes. Instead of the"
                    + " --oidc- flags.")
        @Nullable Path configurationFile,
    OidcOptions oidc,
    TokenWebhookOptions webhook,
    RequestHeaderOptions requestHeaders)
    implements OptionGroup {

  public AuthenticationOptions {
    audiences = List.copyOf(audiences);
    if (configurationFile != null && oidc.isGiven()) {
      throw new IllegalArgumentException(
          "--authentication-config: authentication-config file and oidc-* flags are mutually"
              + " exclusive");
    }
  }

  /** Without OpenID Connect, webhook and configuration file. */
  public AuthenticationOptions(
      @Nullable Path clientCaFile,
      @Nullable Path tokenFile,
      boolean anonymous,
      List<String> audiences,
      RequestHeaderOptions requestHeaders) {
    this(
        clientCaFile,
        tokenFile,
        anonymous,
        audiences,
        false,
        null,
        OidcOptions.defaults(),
        TokenWebhookOptions.defaults(),
        requestHeaders);
  }

  public AuthenticationOptions withConfigurationFile(Path other) {
    return new AuthenticationOptions(
        clientCaFile,
        tokenFile,
        anonymous,
        audiences,
        bootstrapTokens,
        other,
        oidc,
        webhook,
        requestHeaders);
  }

  public AuthenticationOptions withOidc(OidcOptions other) {
    return new AuthenticationOptions(
        clientCaFile,
        tokenFile,
        anonymous,
        audiences,
        bootstrapTokens,
        configurationFile,
        other,
        webhook,
        requestHeaders);
  }

  public AuthenticationOptions withWebhook(TokenWebhookOptions other) {
    return new AuthenticationOptions(
        clientCaFile,
        tokenFile,
        anonymous,
        audiences,
        bootstrapTokens,
        configurationFile,
        oidc,
        other,
        requestHeaders);
  }

  public AuthenticationOptions withBootstrapTokens(boolean other) {
    return new AuthenticationOptions(
        clientCaFile,
        tokenFile,
        anonymous,
        audiences,
        other,
        configurationFile,
        oidc,
        webhook,
        requestHeaders);
  }

  /** Without a front proxy. */
  public AuthenticationOptions(
      @Nullable Path clientCaFile,
      @Nullable Path tokenFile,
      boolean anonymous,
      List<String> audiences) {
    this(clientCaFile, tokenFile, anonymous, audiences, RequestHeaderOptions.defaults());
  }

  public static AuthenticationOptions defaults() {
    return new AuthenticationOptions(null, null, true, List.of());
  }
}
