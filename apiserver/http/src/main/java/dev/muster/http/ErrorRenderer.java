package dev.muster.http;

import java.nio.charset.StandardCharsets;

/**
 * Renders errors that occur before a handler sees the request (a body or header that is too large,
 * a malformed request, a stalled upload) or when a handler throws. Event loops call it, so it must
 * not block or throw.
 */
@FunctionalInterface
public interface ErrorRenderer {
  ServerResponse render(int status, String message);

  /** Renders the message as one line of plain text. */
  static ErrorRenderer plainText() {
    return (status, message) ->
        ServerResponse.of(
            status, "text/plain; charset=utf-8", (message + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
