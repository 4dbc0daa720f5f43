package dev.muster.authorization.modes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The authorizers of a server, in the order in which they decide. Immutable. */
public record AuthorizationConfiguration(List<Entry> authorizers) {
  public AuthorizationConfiguration {
    authorizers = List.copyOf(authorizers);
  }

  /**
   * One authorizer.
   *
   * @param webhook null for other types
   */
  public record Entry(AuthorizerType type, String name, @Nullable Webhook webhook) {}

  /** The decision when a webhook cannot be asked. */
  public enum FailurePolicy {
    /** The next authorizer decides. */
    NO_OPINION,
    DENY
  }

  /**
   * The settings of an authorization webhook.
   *
   * @param authorizedTtl how long an allowed decision is cached; zero for not at all
   * @param unauthorizedTtl how long any other decision is cached
   * @param version of the SubjectAccessReview: v1 or v1beta1
   * @param conditions the webhook is asked only if all these expressions are true
   */
  public record Webhook(
      Duration timeout,
      Duration authorizedTtl,
      Duration unauthorizedTtl,
      String version,
      FailurePolicy failurePolicy,
      Path kubeconfig,
      List<String> conditions) {
    public Webhook {
      conditions = List.copyOf(conditions);
    }
  }
}
