package dev.muster.server.proxy;

import dev.muster.http.BodyConsumer;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Passes a client's body to a backend. The client's event loop fills it, and stops reading while it
 * holds much; one virtual thread empties it in {@link #run}, which blocks.
 */
public final class Upload implements BodyConsumer {
  private sealed interface Part {
    record Piece(byte[] bytes, Runnable taken) implements Part {}

    record End() implements Part {}

    record Failure() implements Part {}
  }

  /** Bounded, because the event loop stops reading from the client. */
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

  /** Ends the upload; the rest of the body is not awaited. */
  public void stop() {
    parts.add(new Part.Failure());
  }

  /**
   * Writes the whole body. If the client does not complete it, the backend's request is cut off,
   * too.
   *
   * @param body whether the end is that of a request's body, or else of the connection
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
      // The backend accepts no more. The reader of the response sees the reason.
      drop();
    } catch (InterruptedException e) {
      call.cancel();
      Thread.currentThread().interrupt();
    }
  }

  /** Reads and drops the rest, so that the client can finish. */
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
