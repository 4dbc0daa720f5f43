package dev.muster.http.connection;

/**
 * The protocol of one connection, HTTP/1.1 or HTTP/2. Only the event loop of the connection uses
 * it.
 */
public interface Session {
  /** Ends requests that take too long. Called about once a second. */
  void tick(long now);

  /** The first user on this connection was authenticated. */
  void vouched();

  /** A request of an unauthenticated user was accepted; the connection accepts no further ones. */
  void unknownUser();

  /** Tells the client to send no more requests here, and closes after the last response. */
  void drain(long graceMillis);

  /** Ends all open streams properly. */
  void endStreams();

  /** Sends all queued bytes. */
  void flushNow();
}
