package dev.muster.http.limits;

/**
 * The resources of the server that one client, and all clients together, may use.
 *
 * @param maxBodyBytes of one request body; a longer one is answered with 413
 * @param maxBufferedBodyBytes of all request bodies that are not answered yet; above it, requests
 *     with a body are answered with 429, except for an eighth more for reserved shares
 * @param maxOutgoingBytes of all responses that wait to be sent; above it, responses in parts wait,
 *     and clients must read without delay
 * @param maxHeaderBytes of one request's line and headers; longer ones are answered with 431
 * @param connections reduced to the file descriptors that the process may open
 * @param maxStreamsPerConnection concurrent HTTP/2 requests on one connection; at most a hundred
 *     until a user on it is authenticated
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
   * The limits of kube-apiserver where it has them. Request bodies may use a quarter of the heap,
   * responses an eighth.
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
