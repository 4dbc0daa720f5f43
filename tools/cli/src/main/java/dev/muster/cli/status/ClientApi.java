package dev.muster.cli.status;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads from an API server through a client. Not thread-safe. Blocks the caller. */
final class ClientApi implements StatusReader.Api {
  private static final int NOT_FOUND = 404;

  private final KubernetesClient client;
  private final Duration timeout;
  private @Nullable Instant clock;

  ClientApi(KubernetesClient client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  @Override
  public String url() {
    var url = client.getMasterUrl().toString();
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  @Override
  public JsonObject get(String path) {
    var response = send(path, "application/json");
    if (response.code() == NOT_FOUND) {
      return JsonObject.EMPTY;
    }
    var body = body(response);
    if (!response.isSuccessful()) {
      var said = object(body).string("message");
      throw new KubernetesClientException(
          said.isEmpty() ? body.strip() : said, response.code(), null);
    }
    return object(body);
  }

  /** A body that is not JSON does not come from an API server. */
  private static JsonObject object(String body) {
    return body.startsWith("{")
            && JsonReader.read(body.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
        ? object
        : JsonObject.EMPTY;
  }

  @Override
  public String text(String path) {
    return body(send(path, "text/plain, */*"));
  }

  @Override
  public @Nullable Instant clock() {
    return clock;
  }

  private static String body(HttpResponse<byte[]> response) {
    return new String(
        Objects.requireNonNullElse(response.body(), new byte[0]), StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> send(String path, String accept) {
    var http = client.getHttpClient();
    var request = http.newHttpRequestBuilder().uri(url() + path).header("Accept", accept).build();
    var answer = http.sendAsync(request, byte[].class);
    try {
      var response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      readClock(response.header("date"));
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("interrupted", e);
    } catch (TimeoutException e) {
      throw new KubernetesClientException("no answer within " + timeout.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new KubernetesClientException(String.valueOf(cause.getMessage()), cause);
    } finally {
      answer.cancel(true);
    }
  }

  private void readClock(@Nullable String date) {
    if (date != null) {
      try {
        clock = DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from);
      } catch (DateTimeException e) {
        clock = null;
      }
    }
  }
}
