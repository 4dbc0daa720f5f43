package dev.muster.multicluster.membership;

/**
 * Thrown when an operation cannot succeed until a user acts; the message tells the problem and the
 * remedy.
 */
public final class RefusedByHub extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RefusedByHub(String sentence) {
    super(sentence);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
