package dev.muster.server.http;

/**
 * What one client, and all clients together, may take of the server.
 *
 * @param maxBodyBytes of one request body; a longer one is answered with 413
 * @param maxBufferedBodyBytes of all request bodies that are not answered yet; past it, requests
 *     with a body are answered with 429, but for an eighth more that is kept for reserved shares
 * @param maxHeaderBytes of one request's line and headers; longer ones are answered with 431
 * @param connections no more than the process may have files open, whatever is said here
 * @param maxStreamsPerConnection concurrent HTTP/2 requests on one connection; a hundred at most
 *     until somebody on it is authenticated
 */
public record HttpLimits(
    int maxBodyBytes,
    long maxBufferedBodyBytes,
    int maxHeaderBytes,
    ConnectionLimits connections,
    int maxStreamsPerConnection,
    HttpTimeouts timeouts,
    FloodLimits floods) {

  public HttpLimits {
    if (maxBodyBytes <= 0
        || maxBufferedBodyBytes < maxBodyBytes
        || maxHeaderBytes <= 0
        || maxStreamsPerConnection <= 0) {
      throw new IllegalArgumentException(
          "limits must be positive, and maxBufferedBodyBytes no less than maxBodyBytes");
    }
  }

  /** kube-apiserver's limits where it has them; memory for bodies is a quarter of the heap. */
  public static HttpLimits standard() {
    int body = 3 << 20;
    return new HttpLimits(
        body,
        Math.max(body * 16L, Runtime.getRuntime().maxMemory() / 4),
        1 << 20,
        ConnectionLimits.standard(),
        250,
        HttpTimeouts.standard(),
        FloodLimits.standard());
  }

  public HttpLimits withStreams(int perConnection) {
    return new HttpLimits(
        maxBodyBytes,
        maxBufferedBodyBytes,
        maxHeaderBytes,
        connections,
        perConnection,
        timeouts,
        floods);
  }

  public HttpLimits withBufferedBodies(long bytes) {
    return new HttpLimits(
        maxBodyBytes,
        bytes,
        maxHeaderBytes,
        connections,
        maxStreamsPerConnection,
        timeouts,
        floods);
  }

  public HttpLimits with(ConnectionLimits other) {
    return new HttpLimits(
        maxBodyBytes,
        maxBufferedBodyBytes,
        maxHeaderBytes,
        other,
        maxStreamsPerConnection,
        timeouts,
        floods);
  }

  public HttpLimits with(HttpTimeouts other) {
    return new HttpLimits(
        maxBodyBytes,
        maxBufferedBodyBytes,
        maxHeaderBytes,
        connections,
        maxStreamsPerConnection,
        other,
        floods);
  }
}
