package dev.muster.server.audit;

import dev.muster.server.http.Header;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Takes a post there on a connection of its own. Safe for any thread; blocks the virtual thread
 * that calls.
 */
public interface SeparatePost {
  /** Whether a proxy stands in between, so that there is no other way. */
  boolean isProxied();

  /**
   * Posts once, and answers with the status.
   *
   * @param tls with the receiver, inside of what a proxy sees
   * @param serverName that the receiver's certificate has to be for; "" for the host of the target
   * @throws IOException when there is no answer within that time
   */
  int post(
      URI target,
      List<Header> headers,
      byte[] body,
      SslContext tls,
      String serverName,
      Duration patience)
      throws IOException;
}
