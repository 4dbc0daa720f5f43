package dev.muster.server.proxy;

import dev.muster.http.BodyConsumer;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What a client sends, on its way to a backend. Filled on the client's event loop, which holds the
 * client back while much is under way; emptied by one virtual thread, which {@link #run} blocks.
 */
public final class Upload implements BodyConsumer {
  private sealed interface Part {
    record Piece(byte[] bytes, Runnable taken) implements Part {}

    record End() implements Part {}

    record Failure() implements Part {}
  }

  /** Bounded by who fills it: the client is held back. */
  private final LinkedBlockingQueue<Part> parts = new LinkedBlockingQueue<>();

  @Override
  public void piece(byte[] bytes, Runnable taken) {
    parts.add(new Part.Piece(bytes, taken));
  }

  @Override
  public void end() {
    parts.add(new Part.End());
  }

  @Override
  public void failed(int status, String message) {
    parts.add(new Part.Failure());
  }

  /** Nobody takes any more: who still sends something is not waited for. */
  public void stop() {
    parts.add(new Part.Failure());
  }

  /**
   * Writes everything, until it ends. What the client did not finish is cut off for the backend,
   * too.
   *
   * @param body whether its end is that of a request's body; else, of the connection
   */
  public void run(BackendCall call, boolean body) {
    try {
      while (true) {
        switch (parts.take()) {
          case Part.Piece(var bytes, var taken) -> {
            try {
              call.write(bytes);
            } finally {
              taken.run();
            }
          }
          case Part.End ignored -> {
            if (body) {
              call.finish();
            } else {
              call.cancel();
            }
            return;
          }
          case Part.Failure ignored -> {
            call.cancel();
            return;
          }
        }
      }
    } catch (BackendException e) {
      // The backend takes no more: what it says about that, or that it is gone, is read elsewhere.
      drop();
    } catch (InterruptedException e) {
      call.cancel();
      Thread.currentThread().interrupt();
    }
  }

  /** Lets the client finish what nobody wants. */
  private void drop() {
    try {
      while (parts.take() instanceof Part.Piece piece) {
        piece.taken().run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
