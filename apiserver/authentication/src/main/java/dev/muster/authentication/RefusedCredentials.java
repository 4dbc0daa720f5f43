package dev.muster.authentication;

import java.util.Map;

/**
 * Credentials that were understood and are wrong, expired or revoked. The text is for {@code
 * TokenReview} and logs; the client itself only ever sees {@code Unauthorized}. It never holds the
 * token. Has no stack trace, because it is an answer and not a fault.
 */
public final class RefusedCredentials extends RuntimeException {
  private final boolean restsOnCluster;
  private final Map<String, String> annotations;

  /** Credentials that are wrong by themselves. */
  public RefusedCredentials(String why) {
    this(why, false, Map.of());
  }

  private RefusedCredentials(String why, boolean restsOnCluster, Map<String, String> annotations) {
    super(why, null, false, false);
    this.restsOnCluster = restsOnCluster;
    this.annotations = annotations;
  }

  /** Credentials that are good by themselves and refused for what the cluster looks like. */
  public static RefusedCredentials byCluster(String why) {
    return byCluster(why, Map.of());
  }

  /** What the cluster refuses, with what the audit log says about it. */
  public static RefusedCredentials byCluster(String why, Map<String, String> annotations) {
    return new RefusedCredentials(why, true, annotations);
  }

  /** The reasons of several authenticators together. */
  static RefusedCredentials all(String why, boolean restsOnCluster) {
    return new RefusedCredentials(why, restsOnCluster, Map.of());
  }

  /** Whether a newer view of the cluster may take them. */
  public boolean restsOnCluster() {
    return restsOnCluster;
  }

  /** What the audit log says about them. */
  public Map<String, String> annotations() {
    return annotations;
  }

  public String why() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
