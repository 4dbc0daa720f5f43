package dev.muster.http;

import java.nio.charset.StandardCharsets;

/**
 * Words an error that the connection finds before any handler sees the request (a body or header
 * that is too large, a malformed request, an upload that stalls) or when a handler throws. Called
 * on event loops; must not block or throw.
 */
@FunctionalInterface
public interface ErrorRenderer {
  ServerResponse render(int status, String message);

  /** One line of plain text. */
  static ErrorRenderer plainText() {
    return (status, message) ->
        ServerResponse.of(
            status, "text/plain; charset=utf-8", (message + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
