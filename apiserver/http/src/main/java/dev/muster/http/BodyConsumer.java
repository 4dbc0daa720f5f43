package dev.muster.http;

/**
 * Receives a request body piece by piece. The connection's event loop calls it. The last call is
 * {@link #end} or {@link #failed}.
 */
public interface BodyConsumer {
  /**
   * The next bytes, which belong to the consumer from then on.
   *
   * @param taken the consumer runs it, on any thread, once it needs the bytes no more; until then
   *     little more arrives
   */
  void piece(byte[] bytes, Runnable taken);

  /** The body is complete. */
  void end();

  /** The body ends incomplete: the client has gone, or was too slow (408). */
  void failed(int status, String message);
}
