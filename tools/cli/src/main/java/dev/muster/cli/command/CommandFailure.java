package dev.muster.cli.command;

import java.util.concurrent.TimeoutException;

/** Why a command cannot go on, in one line for its user. */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailure(String message) {
    super(message);
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }

  /** What an API server said, or that it said nothing, in one line. */
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
