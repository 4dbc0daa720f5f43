package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Safe for any thread; blocks the calling one. Requests that choose their media types, which the
 * client's typed operations do not: objects without anything but their metadata.
 */
public final class ApiRequests {
  /** Objects come with their metadata only. */
  public static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  /** Lists come with the metadata of their items only. */
  public static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

  private final KubernetesClient client;

  public ApiRequests(KubernetesClient client) {
    this.client = client;
  }

  /** A whole answer. */
  public record Answer(String method, String path, int code, Map<String, Object> body) {
    /**
     * @throws KubernetesClientException if it is not a success
     */
    public Map<String, Object> orThrow() {
      if (code >= 200 && code < 300) {
        return body;
      }
      throw failure(method, path, code, String.valueOf(body.get("message")));
    }
  }

  /** An answer that goes on while it is read; whoever gets it closes it. */
  public record Streamed(int code, InputStream body) implements AutoCloseable {
    @Override
    public void close() {
      try {
        body.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public static KubernetesClientException failure(
      String method, String path, int code, String message) {
    return new KubernetesClientException(method + " " + path + ": " + message, code, null);
  }

  public Answer send(String method, String path, String accept) {
    return send(method, path, accept, "application/json", null);
  }

  public Answer send(
      String method, String path, String accept, String mediaType, @Nullable Object body) {
    var text = body == null ? "" : client.getKubernetesSerialization().asJson(body);
    return sendText(method, path, accept, mediaType, text);
  }

  Answer sendText(String method, String path, String accept, String mediaType, String body) {
    var request = request(path, accept);
    if (!method.equals("GET")) {
      request.method(method, mediaType, body);
    }
    var response = await(client.getHttpClient().sendAsync(request.build(), byte[].class));
    return new Answer(method, path, response.code(), body(response.body()));
  }

  /** What is not served at all is answered in plain text. */
  @SuppressWarnings("unchecked")
  private Map<String, Object> body(byte @Nullable [] bytes) {
    if (bytes == null || bytes.length == 0) {
      return Map.of();
    }
    if (bytes[0] != '{') {
      return Map.of("message", new String(bytes, StandardCharsets.UTF_8).strip());
    }
    Map<String, Object> read =
        client.getKubernetesSerialization().unmarshal(new ByteArrayInputStream(bytes), Map.class);
    return read == null ? Map.of() : read;
  }

  /** The path of the next page of a list, or of the first one if nothing is to be continued. */
  public static String page(String path, int limit, String next) {
    return path
        + (path.indexOf('?') < 0 ? "?" : "&")
        + "limit="
        + limit
        + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
  }

  /** A GET whose answer is read as it comes: as fast as the reader is, and no faster. */
  public Streamed stream(String path, String accept) {
    var request = request(path, accept).forStreaming();
    var response = await(client.getHttpClient().sendAsync(request.build(), InputStream.class));
    return new Streamed(response.code(), response.body());
  }

  @SuppressWarnings("unchecked")
  public Map<String, Object> read(String json) {
    return client.getKubernetesSerialization().unmarshal(json, Map.class);
  }

  private HttpRequest.Builder request(String path, String accept) {
    var root = client.getMasterUrl().toString();
    var base = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
    return client.getHttpClient().newHttpRequestBuilder().uri(base + path).header("Accept", accept);
  }

  private static <T> HttpResponse<T> await(CompletableFuture<HttpResponse<T>> response) {
    try {
      return response.get();
    } catch (InterruptedException e) {
      response.cancel(true);
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("interrupted", e);
    } catch (ExecutionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new KubernetesClientException(cause.toString(), cause);
    }
  }
}
