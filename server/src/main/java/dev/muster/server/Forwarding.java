package dev.muster.server;

import dev.muster.model.ApiException;
import dev.muster.model.Reason;
import dev.muster.registry.connect.Destination;
import dev.muster.server.http.HttpAnswer;
import dev.muster.server.http.HttpAnswer.Header;
import dev.muster.server.http.HttpStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Passes requests on to kubelets, pods and services and streams their answers back. Certificates of
 * the other side are not verified, as with kube-apiserver unless it is told otherwise. Called on
 * virtual threads, blocks them; the client is made when it is first needed.
 */
final class Forwarding {
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private static final int PIECE = 16 * 1024;

  private @Nullable HttpClient client;

  private synchronized HttpClient client() {
    if (client == null) {
      client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(Duration.ofSeconds(30))
              .followRedirects(HttpClient.Redirect.NEVER)
              .sslContext(TrustingTls.context())
              .build();
    }
    return client;
  }

  /** Streams a container's log. */
  void log(Request request, Destination destination) {
    var start = "Get \"" + destination + "\": ";
    HttpResponse<InputStream> response;
    try {
      Dial.once(destination);
      response = send(HttpRequest.newBuilder(URI.create(destination.toString())).build());
    } catch (Dial.Failed e) {
      throw new ApiException(Reason.UNKNOWN, start + e.text());
    } catch (IOException e) {
      throw new ApiException(Reason.UNKNOWN, start + e.getMessage());
    }
    if (response.statusCode() / 100 != 2) {
      throw refused(response, request.info().name());
    }
    var head = new HttpAnswer(200, request.headers("text/plain"), List.of(), false);
    relay(request, head, response.body());
  }

  private static ApiException refused(HttpResponse<InputStream> response, String name) {
    var text = "";
    try (var body = response.body()) {
      text = new String(body.readNBytes(2048), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      text = String.valueOf(e.getMessage());
    }
    return switch (response.statusCode()) {
      case 400 -> ApiException.badRequest(text);
      case 404 ->
          new ApiException(
              Reason.NOT_FOUND,
              "the server could not find the requested resource ( pods/log " + name + ")");
      default ->
          new ApiException(
              Reason.INTERNAL_ERROR,
              "an error on the server (\""
                  + text
                  + "\") has prevented the request from succeeding ( pods/log "
                  + name
                  + ")");
    };
  }

  /** Passes a whole request on. */
  void proxy(Request request, Destination destination) {
    HttpResponse<InputStream> response;
    try {
      Dial.once(destination);
      response = send(passedOn(request, destination));
    } catch (Dial.Failed e) {
      throw unreachable(e.text());
    } catch (IOException e) {
      throw unreachable(String.valueOf(e.getMessage()));
    }
    var headers = new ArrayList<Header>();
    headers.add(new Header("audit-id", request.auditId()));
    response
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!name.startsWith(":") && !OF_THE_CONNECTION.contains(name)) {
                values.forEach(value -> headers.add(new Header(name, value)));
              }
            });
    relay(
        request, new HttpAnswer(response.statusCode(), headers, List.of(), false), response.body());
  }

  private static ApiException unreachable(String why) {
    return new ApiException(Reason.SERVICE_UNAVAILABLE, "error trying to reach service: " + why);
  }

  private static HttpRequest passedOn(Request request, Destination destination) {
    var exchange = request.exchange();
    var body = exchange.body();
    var next =
        HttpRequest.newBuilder(URI.create(destination.toString()))
            .method(
                exchange.method(),
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    for (var header : exchange.headers()) {
      boolean ours =
          header.getKey().equals("authorization") || header.getKey().startsWith("impersonate-");
      if (!ours && !OF_THE_CONNECTION.contains(header.getKey())) {
        next.header(header.getKey(), header.getValue());
      }
    }
    return next.header("x-forwarded-uri", exchange.path())
        .header("x-forwarded-for", exchange.remoteAddress().getAddress().getHostAddress())
        .header("x-forwarded-proto", "https")
        .build();
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return client().send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the server is stopping", e);
    }
  }

  /** Streams a body, no faster than the client takes it; what ends early is cut off. */
  private static void relay(Request request, HttpAnswer head, InputStream body) {
    request.observed(head.status());
    var stream = request.exchange().stream(head);
    var loop = request.exchange().eventLoop();
    var buffer = new byte[PIECE];
    try (body) {
      boolean taken = true;
      for (int n = body.read(buffer); n >= 0 && taken; n = body.read(buffer)) {
        taken = write(stream, loop, Arrays.copyOf(buffer, n)).join();
      }
      loop.execute(stream::finish);
    } catch (IOException e) {
      loop.execute(stream::abort);
    }
  }

  /** Whether there is room for more, once there is; false when the client has gone. */
  private static CompletableFuture<Boolean> write(HttpStream stream, Executor loop, byte[] piece) {
    var taken = new CompletableFuture<Boolean>();
    loop.execute(
        () -> {
          stream.onWritable(() -> taken.complete(true));
          stream.onClose(() -> taken.complete(false));
          stream.write(piece);
          stream.flush();
          if (stream.writable()) {
            taken.complete(true);
          }
        });
    return taken;
  }
}
