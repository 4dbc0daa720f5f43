package dev.muster.server.proxy;

import dev.muster.http.Header;
import java.util.List;

/** What is asked of a backend; where it goes is the call's. */
public record BackendRequest(String method, List<Header> headers, byte[] body) {
  private static final byte[] NOTHING = {};

  public BackendRequest {
    headers = List.copyOf(headers);
  }

  /** A GET for ourselves. */
  public static BackendRequest get(String host) {
    return new BackendRequest("GET", List.of(new Header("host", host)), NOTHING);
  }
}
