package dev.muster.server.proxy;

import dev.muster.http.Header;
import java.util.List;

/** The method, headers and body of a request to a backend; the call has the destination. */
public record BackendRequest(String method, List<Header> headers, byte[] body) {
  private static final byte[] NOTHING = {};

  public BackendRequest {
    headers = List.copyOf(headers);
  }

  /** A GET request of the server itself. */
  public static BackendRequest get(String host) {
    return new BackendRequest("GET", List.of(new Header("host", host)), NOTHING);
  }
}
