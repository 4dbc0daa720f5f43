package dev.muster.server.routes;

import dev.muster.model.status.ApiException;
import dev.muster.server.request.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Answers with a recording of the Java Flight Recorder over some seconds. Thread-safe. Only one
 * recording runs at a time, because it slows down the whole server. {@link FlightRecording} leaves
 * out events that could reveal secrets.
 */
public final class ProfileRoute {
  public static final String PATH = "/debug/jfr/profile";

  private static final int USUAL_SECONDS = 30;
  private static final int MOST_SECONDS = 60;

  private final Semaphore place = new Semaphore(1);

  public void answer(Request request) {
    int seconds = seconds(request);
    if (!place.tryAcquire()) {
      request.answerTooMany(seconds);
      return;
    }
    boolean begun = false;
    try {
      request.waiting(() -> profile(request, seconds));
      begun = true;
    } finally {
      if (!begun) {
        place.release();
      }
    }
  }

  private static int seconds(Request request) {
    var text = request.query().first("seconds");
    try {
      int seconds = text.isEmpty() ? USUAL_SECONDS : Integer.parseInt(text);
      if (seconds >= 1 && seconds <= MOST_SECONDS) {
        return seconds;
      }
    } catch (NumberFormatException _) {
      // The same answer as for a number that is too large.
    }
    throw ApiException.badRequest("seconds must be between 1 and " + MOST_SECONDS);
  }

  private void profile(Request request, int seconds) {
    try {
      request.answer(
          200,
          "application/octet-stream",
          FlightRecording.of(Duration.ofSeconds(seconds), request.exchange()::isOver));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the server is stopping", e);
    } finally {
      place.release();
    }
  }
}
