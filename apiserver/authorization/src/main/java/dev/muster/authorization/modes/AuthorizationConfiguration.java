package dev.muster.authorization.modes;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The authorizers of a server, in the order in which they are asked. Immutable. */
public record AuthorizationConfiguration(List<Entry> authorizers) {
  public AuthorizationConfiguration {
    authorizers = List.copyOf(authorizers);
  }

  /**
   * One authorizer.
   *
   * @param webhook null unless it is one
   */
  public record Entry(AuthorizerType type, String name, @Nullable Webhook webhook) {}

  /** What becomes of a request that a webhook could not be asked about. */
  public enum FailurePolicy {
    /** The next authorizer decides. */
    NO_OPINION,
    DENY
  }

  /**
   * How a webhook is asked.
   *
   * @param authorizedTtl how long a yes is remembered; zero for not at all
   * @param unauthorizedTtl how long anything else is
   * @param version of the SubjectAccessReview: v1 or v1beta1
   * @param conditions expressions that must all hold for it to be asked
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
