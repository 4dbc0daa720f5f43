package dev.muster.http.limits;

/**
 * What one client, and all clients together, may take of the server.
 *
 * @param maxBodyBytes of one request body; a longer one is answered with 413
 * @param maxBufferedBodyBytes of all request bodies that are not answered yet; past it, requests
 *     with a body are answered with 429, but for an eighth more that is kept for reserved shares
 * @param maxOutgoingBytes of all answers that wait to be sent; past it, what is made in parts
 *     waits, and clients have to take what they asked for without delay
 * @param maxHeaderBytes of one request's line and headers; longer ones are answered with 431
 * @param connections no more than the process may have files open, whatever is said here
 * @param maxStreamsPerConnection concurrent HTTP/2 requests on one connection; a hundred at most
 *     until somebody on it is authenticated
 */
public record HttpLimits(
    int maxBodyBytes,
    long maxBufferedBodyBytes,
    long maxOutgoingBytes,
    int maxHeaderBytes,
    ConnectionLimits connections,
    int maxStreamsPerConnection,
    HttpTimeouts timeouts,
    FloodLimits floods) {

  public HttpLimits {
    if (maxBodyBytes <= 0
        || maxBufferedBodyBytes < maxBodyBytes
        || maxOutgoingBytes < OutgoingBudget.PART
        || maxHeaderBytes <= 0
        || maxStreamsPerConnection <= 0) {
      throw new IllegalArgumentException(
          "limits must be positive, maxBufferedBodyBytes no less than maxBodyBytes, and"
              + " maxOutgoingBytes no less than "
              + OutgoingBudget.PART);
    }
  }

  /**
   * kube-apiserver's limits where it has them; memory for bodies is a quarter of the heap, for
   * answers an eighth.
   */
  public static HttpLimits standard() {
    int body = 3 << 20;
    return new HttpLimits(
        body,
        Math.max(body * 16L, Runtime.getRuntime().maxMemory() / 4),
        Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 8),
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
        maxOutgoingBytes,
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
        maxOutgoingBytes,
        maxHeaderBytes,
        connections,
        maxStreamsPerConnection,
        timeouts,
        floods);
  }

  public HttpLimits withOutgoing(long bytes) {
    return new HttpLimits(
        maxBodyBytes,
        maxBufferedBodyBytes,
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
        maxOutgoingBytes,
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
        maxOutgoingBytes,
        maxHeaderBytes,
        connections,
        maxStreamsPerConnection,
        other,
        floods);
  }
}
