package dev.muster.server.options;

import dev.muster.authorization.modes.AuthorizerType;
import dev.muster.server.options.flag.FileKind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The authorization modes, which are asked in order until one decides. */
@FlagGroup("Authorization")
public record AuthorizationOptions(
    @Flag(
            name = "authorization-mode",
            help =
                "Ordered list of AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC and Node. RBAC unless"
                    + " it is given, where kube-apiserver takes AlwaysAllow. With AlwaysAllow"
                    + " everybody who has credentials may do everything, and --anonymous-auth is"
                    + " off.")
        List<AuthorizerType> modes,
    @Flag(
            name = "authorization-policy-file",
            file = FileKind.TEXT,
            help =
                "File with policies, one JSON object on each line, for --authorization-mode=ABAC."
                    + " Read when the server starts.")
        @Nullable Path policyFile,
    @Flag(
            name = "authorization-webhook-config-file",
            file = FileKind.TEXT,
            help =
                "File in the form of a kubeconfig that says where the webhook of"
                    + " --authorization-mode=Webhook is and how it is reached.")
        @Nullable Path webhookConfigFile,
    @Flag(
            name = "authorization-webhook-version",
            help = "Version of the SubjectAccessReview that the webhook is sent: v1 or v1beta1.")
        String webhookVersion,
    @Flag(
            name = "authorization-webhook-cache-authorized-ttl",
            help = "How long it is remembered that the webhook allowed something.")
        Duration authorizedTtl,
    @Flag(
            name = "authorization-webhook-cache-unauthorized-ttl",
            help = "How long it is remembered that the webhook did not allow something.")
        Duration unauthorizedTtl,
    @Flag(
            name = "authorization-config",
            file = FileKind.TEXT,
            help =
                "File with an AuthorizationConfiguration, which is read again when it changes. Not"
                    + " together with --authorization-mode or --authorization-webhook-*.")
        @Nullable Path configFile)
    implements OptionGroup {

  public AuthorizationOptions {
    modes = List.copyOf(modes);
    if (modes.isEmpty()) {
      throw wrong("--authorization-mode: at least one mode is needed");
    }
    if (new HashSet<>(modes).size() != modes.size()) {
      throw wrong("--authorization-mode: a mode is named twice");
    }
    boolean abac = modes.contains(AuthorizerType.ABAC);
    if (abac && policyFile == null) {
      throw wrong("authorization-mode ABAC's authorization policy file not passed");
    }
    boolean byFile = configFile != null;
    if (!abac && !byFile && policyFile != null) {
      throw wrong("cannot specify --authorization-policy-file without mode ABAC");
    }
    boolean webhook = modes.contains(AuthorizerType.WEBHOOK);
    if (webhook && webhookConfigFile == null) {
      throw wrong("authorization-mode Webhook's authorization config file not passed");
    }
    if (!webhook && webhookConfigFile != null) {
      throw wrong("cannot specify --authorization-webhook-config-file without mode Webhook");
    }
    if (!webhookVersion.equals("v1") && !webhookVersion.equals("v1beta1")) {
      throw wrong(
          "unsupported webhook authorizer version \"%s\", supported versions are \"v1\", \"v1beta1\""
              .formatted(webhookVersion));
    }
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(text);
  }

  /** Modes that need no files. */
  public AuthorizationOptions(List<AuthorizerType> modes) {
    this(modes, null, null, "v1beta1", Duration.ofMinutes(5), Duration.ofSeconds(30), null);
  }

  /** Whether authorization depends on the user, as far as the modes tell. */
  public boolean asksWho() {
    return configFile != null || !modes.contains(AuthorizerType.ALWAYS_ALLOW);
  }

  public static AuthorizationOptions defaults() {
    return new AuthorizationOptions(List.of(AuthorizerType.RBAC));
  }
}
