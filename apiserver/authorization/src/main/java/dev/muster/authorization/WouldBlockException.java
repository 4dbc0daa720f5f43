package dev.muster.authorization;

/**
 * Thrown when a decision would have to block on a thread that must not. Nothing is decided yet: the
 * caller repeats the check on a thread that may block. There is no stack trace, because this is an
 * expected result.
 */
public final class WouldBlockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WouldBlockException() {
    super("the decision is for a thread that may wait", null, false, false);
  }
}
