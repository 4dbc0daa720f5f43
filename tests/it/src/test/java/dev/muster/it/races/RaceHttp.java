package dev.muster.it.races;

import dev.muster.model.json.JsonObject;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Safe for any thread. Requests to servers that the test has started itself. */
public final class RaceHttp implements AutoCloseable {
  private final HttpClient client =
      HttpClient.newBuilder().sslContext(TestTls.trustingAnyone()).build();
  private final String token;

  public RaceHttp(String token) {
    this.token = token;
  }

  /** What came back; a body that is not JSON is left out. */
  public record Answer(int code, JsonObject body) {
    /** The message of a Status. */
    public String message() {
      return body.string("message");
    }
  }

  /**
   * @param type the content type; "" when there is no body
   */
  public Answer send(String method, String url, String type, String body) {
    return send(token, method, url, type, body);
  }

  /** A request of somebody else's. */
  public Answer send(String bearer, String method, String url, String type, String body) {
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(90));
    request.header("authorization", "Bearer " + bearer);
    if (!type.isEmpty()) {
      request.header("content-type", type);
    }
    request.method(
        method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    try {
      var answer = client.send(request.build(), BodyHandlers.ofByteArray());
      boolean json =
          answer.headers().firstValue("content-type").orElse("").startsWith("application/json");
      return new Answer(
          answer.statusCode(),
          json && JsonReader.read(answer.body()) instanceof JsonObject object
              ? object
              : JsonObject.EMPTY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What is there, if it is no JSON. */
  public String text(String url) {
    var request =
        HttpRequest.newBuilder(URI.create(url)).header("authorization", "Bearer " + token).build();
    try {
      return client.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  public Answer get(String url) {
    return send("GET", url, "", "");
  }

  public Answer post(String url, String json) {
    return send("POST", url, "application/json", json);
  }

  /** The events of a watch up to and including the first that is wanted. */
  public List<JsonObject> watch(String url, Predicate<JsonObject> last) {
    return watchAs(token, url, last);
  }

  /** The same of somebody else's watch. */
  List<JsonObject> watchAs(String bearer, String url, Predicate<JsonObject> last) {
    var request =
        HttpRequest.newBuilder(URI.create(url)).header("authorization", "Bearer " + bearer).build();
    try {
      var answer = client.send(request, BodyHandlers.ofInputStream());
      var events = new ArrayList<JsonObject>();
      try (var lines =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          var event = (JsonObject) JsonReader.read(line.getBytes(StandardCharsets.UTF_8));
          events.add(event);
          if (last.test(event)) {
            return events;
          }
        }
      }
      throw new IllegalStateException("the watch ended: " + events);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
