package dev.muster.server.options.authentication;

import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagChecks;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The webhook that authenticates tokens which no other authenticator knows. */
@FlagGroup("Token webhook")
public record TokenWebhookOptions(
    @Flag(
            name = "authentication-token-webhook-config-file",
            file = FileKind.TEXT,
            help =
                "kubeconfig of a server that is asked, with a TokenReview, whose tokens are that"
                    + " nobody here knows.")
        @Nullable Path configFile,
    @Flag(
            name = "authentication-token-webhook-version",
            help = "The version of authentication.k8s.io in which it is asked: v1 or v1beta1.")
        String version,
    @Flag(name = "authentication-token-webhook-cache-ttl", help = "How long its answers count.")
        Duration cacheTtl) {

  public TokenWebhookOptions {
    if (!version.equals("v1") && !version.equals("v1beta1")) {
      throw new IllegalArgumentException(
          "--authentication-token-webhook-version: unsupported authentication webhook version \""
              + version
              + "\", supported versions are \"v1\", \"v1beta1\"");
    }
    FlagChecks.notNegative("authentication-token-webhook-cache-ttl", cacheTtl);
  }

  public static TokenWebhookOptions defaults() {
    return new TokenWebhookOptions(null, "v1beta1", Duration.ofMinutes(2));
  }
}
