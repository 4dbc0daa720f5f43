package dev.muster.controllers.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Sends requests over the connections of a client. Thread-safe. Blocks the caller. */
record ClientTransport(KubernetesClient client) implements ApiRequests.Transport {
  @Override
  public ApiRequests.Answer send(
      String method, String path, String accept, String mediaType, String body) {
    var request = request(path, accept);
    if (!method.equals("GET")) {
      request.method(method, mediaType, body);
    }
    var response = await(client.getHttpClient().sendAsync(request.build(), byte[].class));
    return new ApiRequests.Answer(method, path, response.code(), body(response.body()));
  }

  /** The API server answers unknown paths in plain text. */
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

  @Override
  public ApiRequests.Streamed stream(String path, String accept) {
    var request = request(path, accept).forStreaming();
    var response = await(client.getHttpClient().sendAsync(request.build(), InputStream.class));
    return new ApiRequests.Streamed(response.code(), response.body());
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
