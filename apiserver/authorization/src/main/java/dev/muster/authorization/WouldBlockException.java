package dev.muster.authorization;

/**
 * A decision has to wait for somebody else, on a thread that must not wait. Whoever gets it asks
 * again where waiting costs nobody anything; nothing has been decided. It is an answer and not a
 * fault, so it has no stack trace.
 */
public final class WouldBlockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WouldBlockException() {
    super("the decision is for a thread that may wait", null, false, false);
  }
}
