package dev.muster.access;

/**
 * Credentials that were understood and are wrong, expired or revoked. The text is for {@code
 * TokenReview} and logs; the client itself only ever sees {@code Unauthorized}. It never holds the
 * token. Has no stack trace, because it is an answer and not a fault.
 */
public final class RefusedCredentials extends RuntimeException {
  private final boolean restsOnCluster;

  /** Credentials that are wrong by themselves. */
  public RefusedCredentials(String why) {
    this(why, false);
  }

  private RefusedCredentials(String why, boolean restsOnCluster) {
    super(why, null, false, false);
    this.restsOnCluster = restsOnCluster;
  }

  /** Credentials that are good by themselves and refused for what the cluster looks like. */
  public static RefusedCredentials byCluster(String why) {
    return new RefusedCredentials(why, true);
  }

  /** The reasons of several authenticators together. */
  static RefusedCredentials all(String why, boolean restsOnCluster) {
    return new RefusedCredentials(why, restsOnCluster);
  }

  /** Whether a newer view of the cluster may take them. */
  public boolean restsOnCluster() {
    return restsOnCluster;
  }

  public String why() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
