package dev.muster.server.flags;

/** A flag is unknown or has a bad value. The message is one line that names the flag. */
public final class FlagException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FlagException(String message) {
    super(message);
  }

  public FlagException(String message, Throwable cause) {
    super(message, cause);
  }
}
