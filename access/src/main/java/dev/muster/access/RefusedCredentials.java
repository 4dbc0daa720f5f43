package dev.muster.access;

/**
 * Credentials that were understood and are wrong, expired or revoked. The text is for {@code
 * TokenReview} and logs; the client itself only ever sees {@code Unauthorized}. It never holds the
 * token. Has no stack trace, because it is an answer and not a fault.
 */
public final class RefusedCredentials extends RuntimeException {
  public RefusedCredentials(String why) {
    super(why, null, false, false);
  }

  public String why() {
    var message = getMessage();
    return message == null ? "" : message;
  }
}
