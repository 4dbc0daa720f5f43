package dev.muster.server.nodes;

import dev.muster.http.BodyConsumer;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * What the client of a WebSocket sends: filled on its event loop, which holds the client back while
 * much is under way, and emptied by one virtual thread.
 */
final class ClientMessages implements BodyConsumer {
  private record Message(byte @Nullable [] bytes, Runnable taken) {}

  private static final Message LAST = new Message(null, () -> {});

  private final LinkedBlockingQueue<Message> queue = new LinkedBlockingQueue<>();

  @Override
  public void piece(byte[] bytes, Runnable taken) {
    queue.add(new Message(bytes, taken));
  }

  @Override
  public void end() {
    queue.add(LAST);
  }

  @Override
  public void failed(int status, String message) {
    queue.add(LAST);
  }

  /** The next message, waited for; null when there is none any more. */
  byte @Nullable [] take() {
    try {
      var message = queue.take();
      message.taken().run();
      return message.bytes();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
