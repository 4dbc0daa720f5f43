package dev.muster.server.options;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may say who they are, and how. */
@FlagGroup("Authentication")
public record AuthenticationOptions(
    @Flag(
            name = "client-ca-file",
            help =
                "PEM bundle of authorities; a client certificate signed by one of them is the user"
                    + " named by its CommonName, in the groups named by its Organizations.")
        @Nullable Path clientCaFile,
    @Flag(
            name = "token-auth-file",
            help = "CSV file of static tokens: token,user,uid[,\"group,group\"].")
        @Nullable Path tokenFile,
    @Flag(
            name = "anonymous-auth",
            help =
                "Let requests without credentials through to authorization as system:anonymous in"
                    + " the group system:unauthenticated. Switched off with"
                    + " --authorization-mode=AlwaysAllow.")
        boolean anonymous,
    @Flag(
            name = "api-audiences",
            help =
                "Identifiers of this API; a service account token must be bound to one of them."
                    + " Unset: the issuer.")
        List<String> audiences,
    RequestHeaderOptions requestHeaders) {

  public AuthenticationOptions {
    audiences = List.copyOf(audiences);
  }

  /** Without headers from other servers. */
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
