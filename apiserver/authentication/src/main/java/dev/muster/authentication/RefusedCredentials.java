package dev.muster.authentication;

import java.util.Map;

/**
 * Thrown for credentials that an authenticator recognizes but that are wrong, expired or revoked.
 * The message is for {@code TokenReview} and logs; the client only receives {@code Unauthorized}.
 * The message never contains the token. There is no stack trace, because this is an expected
 * result.
 */
public final class RefusedCredentials extends RuntimeException {
  private final boolean restsOnCluster;
  private final Map<String, String> annotations;

  /** Credentials that are wrong regardless of the cluster's state. */
  public RefusedCredentials(String why) {
    this(why, false, Map.of());
  }

  private RefusedCredentials(String why, boolean restsOnCluster, Map<String, String> annotations) {
    super(why, null, false, false);
    this.restsOnCluster = restsOnCluster;
    this.annotations = annotations;
  }

  /**
   * Credentials that are refused because of the cluster's state; a newer snapshot may accept them.
   */
  public static RefusedCredentials byCluster(String why) {
    return byCluster(why, Map.of());
  }

  /** Credentials that are refused because of the cluster's state, with audit annotations. */
  public static RefusedCredentials byCluster(String why, Map<String, String> annotations) {
    return new RefusedCredentials(why, true, annotations);
  }

  /** Combines the reasons of several authenticators. */
  static RefusedCredentials all(String why, boolean restsOnCluster) {
    return new RefusedCredentials(why, restsOnCluster, Map.of());
  }

  /** Whether a newer snapshot of the cluster may accept the credentials. */
  public boolean restsOnCluster() {
    return restsOnCluster;
  }

  /** The audit annotations about the credentials. */
  public Map<String, String> annotations() {
    return annotations;
  }

  public String why() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
