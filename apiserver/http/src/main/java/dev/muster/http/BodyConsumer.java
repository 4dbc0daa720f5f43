package dev.muster.http;

/**
 * Takes what a client sends while it arrives. Called on the connection's event loop, never after
 * {@link #end} or {@link #failed}, one of which comes at last.
 */
public interface BodyConsumer {
  /**
   * The next bytes, which are the consumer's from then on.
   *
   * @param taken to be run once they are out of memory, from any thread; until then little more
   *     arrives
   */
  void piece(byte[] bytes, Runnable taken);

  /** The client has sent all. */
  void end();

  /** There will be no more, though it is not all: the client has gone, or took too long (408). */
  void failed(int status, String message);
}
