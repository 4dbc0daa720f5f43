package dev.muster.http;

/** Told once, on the event loop, what became of a body: one of its methods is always called. */
public interface BodyReceiver {
  /** {@link HttpExchange#body} has all of it. */
  void whole();

  /**
   * It is too large (413), there is no room for it (429), it took too long (408), it is malformed
   * (400), or the client has gone. The request is still to be answered.
   */
  void refused(int status, String message);
}
