package dev.muster.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/** Safe for any thread. The API without any client library between: requests and their answers. */
final class HttpApi implements AutoCloseable {
  /** What came back. */
  record Answer(int code, byte[] body) {
    JsonObject json() {
      return (JsonObject) JsonReader.read(body);
    }

    long revision() {
      return Long.parseLong(json().object("metadata").string("resourceVersion"));
    }
  }

  /**
   * What a client waits that has lost a request with its server. One that is gone refuses at once,
   * and whoever tries again at once takes the time that its start needs.
   */
  static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

  private final String url;
  private final HttpClient client;

  /** A client of HTTP/2 with connections of its own. */
  HttpApi(String url, Path authority) {
    this.url = url;
    client =
        HttpClient.newBuilder()
            .sslContext(trusting(authority))
            .connectTimeout(Duration.ofSeconds(5))
            .build();
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  /** Sends JSON and reads the whole answer; an empty body is none. */
  Answer send(String method, String path, String body) throws IOException, InterruptedException {
    var request =
        request(path)
            .timeout(Duration.ofSeconds(15))
            .header("content-type", contentType(method))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    var answer = client.send(request, BodyHandlers.ofByteArray());
    return new Answer(answer.statusCode(), answer.body());
  }

  /** The body of a watch while it arrives; anything but 200 is an exception. */
  InputStream watch(String path) throws IOException, InterruptedException {
    var answer = client.send(request(path).build(), BodyHandlers.ofInputStream());
    if (answer.statusCode() != 200) {
      try (var body = answer.body()) {
        throw new IOException(answer.statusCode() + ": " + new String(body.readAllBytes(), UTF_8));
      }
    }
    return answer.body();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path))
        .header("authorization", "Bearer " + EtcdFleet.TOKEN);
  }

  private static String contentType(String method) {
    return method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
  }

  private static SSLContext trusting(Path authority) {
    return TestTls.trusting(Pem.certificates(Pem.read(authority)));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
