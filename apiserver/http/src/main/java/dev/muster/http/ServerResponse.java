package dev.muster.http;

import java.util.ArrayList;
import java.util.List;

/**
 * A status, headers and a body of shared pieces, which are sent in order and never copied or
 * changed. Header names are lower-case. The connection adds {@code content-length}, and compresses
 * large bodies if {@code compressible} and the client accepts that.
 */
public record ServerResponse(
    int status, List<Header> headers, List<byte[]> body, boolean compressible) {

  public ServerResponse {
    headers = List.copyOf(headers);
  }

  public static ServerResponse of(int status, String contentType, byte[] body) {
    return new ServerResponse(
        status, List.of(new Header("content-type", contentType)), List.of(body), true);
  }

  /** This response with that body. */
  public ServerResponse withBody(byte[] whole) {
    return new ServerResponse(status, headers, List.of(whole), compressible);
  }

  /** This response with further headers. */
  public ServerResponse with(List<Header> more) {
    if (more.isEmpty()) {
      return this;
    }
    var all = new ArrayList<>(headers);
    all.addAll(more);
    return new ServerResponse(status, all, body, compressible);
  }

  public long length() {
    long sum = 0;
    for (var piece : body) {
      sum += piece.length;
    }
    return sum;
  }
}
