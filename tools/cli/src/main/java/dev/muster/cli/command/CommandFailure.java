package dev.muster.cli.command;

import java.util.concurrent.TimeoutException;

/** Ends a command with a one-line message for the user. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** Describes a failed request, or an unreachable API server, in one line. */
  public static CommandFailure ofRequest(RuntimeException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException) {
        return new CommandFailure("the API server does not answer in time", failed);
      }
      if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
        return new CommandFailure(cause.getMessage().lines().findFirst().orElseThrow(), failed);
      }
    }
    return new CommandFailure("the API server does not answer", failed);
  }
}
