package dev.muster.server.proxy;

import dev.muster.http.Header;
import java.util.List;

/** The head of a backend's response, with lower-case header names. */
public record BackendResponse(int status, List<Header> headers) {
  public BackendResponse {
    headers = List.copyOf(headers);
  }
}
