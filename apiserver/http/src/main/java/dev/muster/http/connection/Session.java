package dev.muster.http.connection;

/** One protocol spoken on one connection. Used on its event loop only. */
public interface Session {
  /** Called about once a second; ends what takes too long. */
  void tick(long now);

  /** Somebody on this connection was authenticated, for the first time. */
  void vouched();

  /** A request of somebody unknown was taken: further ones are not welcome here. */
  void unknownUser();

  /** Tells the client to send no more requests here, and closes when the last one is answered. */
  void drain(long graceMillis);

  /** Ends all open streams properly. */
  void endStreams();

  /** Sends everything that was queued. */
  void flushNow();
}
