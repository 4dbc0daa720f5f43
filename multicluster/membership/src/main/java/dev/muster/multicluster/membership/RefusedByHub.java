package dev.muster.multicluster.membership;

/**
 * The hub will not do it until somebody changes something; the message is a sentence for people.
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
