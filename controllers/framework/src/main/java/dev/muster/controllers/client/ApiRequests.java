package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends API requests with chosen media types, which the client's typed operations do not support,
 * for example to read metadata only. Thread-safe. Blocks the caller.
 */
public final class ApiRequests {
  /** The media type for objects with their metadata only. */
  public static final String METADATA =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  /** The media type for lists with the metadata of their items only. */
  public static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

  /** Sends requests to an API server and waits for the responses. */
  public interface Transport {
    /** A body that is no JSON object is returned as one with a {@code message}. */
    Answer send(String method, String path, String accept, String mediaType, String body);

    /** A GET whose response is read as a stream, with backpressure. */
    Streamed stream(String path, String accept);
  }

  private final Transport transport;
  private final KubernetesSerialization serialization;

  public ApiRequests(KubernetesClient client) {
    this(new ClientTransport(client), client.getKubernetesSerialization());
  }

  /** Uses another transport, such as that of a simulation. */
  public ApiRequests(Transport transport, KubernetesSerialization serialization) {
    this.transport = transport;
    this.serialization = serialization;
  }

  /** A complete response. */
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

  /** A response that is read as a stream; the caller closes it. */
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
    var text = body == null ? "" : serialization.asJson(body);
    return sendText(method, path, accept, mediaType, text);
  }

  /** Sends a body unchanged; "" for none. */
  public Answer sendText(String method, String path, String accept, String mediaType, String body) {
    return transport.send(method, path, accept, mediaType, body);
  }

  /** The path of the next page of a list, or of the first page if {@code next} is empty. */
  public static String page(String path, int limit, String next) {
    return path
        + (path.indexOf('?') < 0 ? "?" : "&")
        + "limit="
        + limit
        + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
  }

  public Streamed stream(String path, String accept) {
    return transport.stream(path, accept);
  }

  @SuppressWarnings("unchecked")
  public Map<String, Object> read(String json) {
    return serialization.unmarshal(json, Map.class);
  }
}
