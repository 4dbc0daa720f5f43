package dev.muster.http;

/**
 * Receives the outcome of reading a request body. The event loop calls exactly one method, once.
 */
public interface BodyReceiver {
  /** {@link HttpExchange#body} returns the whole body. */
  void whole();

  /**
   * The body is too large (413), finds no memory (429), was too slow (408) or is malformed (400),
   * or the client has gone. The handler must still answer the request.
   */
  void refused(int status, String message);
}
