package dev.muster.server.nodes;

import dev.muster.http.BodyConsumer;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Queues the messages of a WebSocket client. The client's event loop fills the queue, and stops
 * reading while it is long; one virtual thread empties it.
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

  /** Waits for the next message; null at the end. */
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
