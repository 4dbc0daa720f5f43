package dev.muster.it.fleet;

import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A plain HTTP client of one API server, with an administrator's token. */
public final class FleetApi {
  /** The token that test servers know. */
  public static final String TOKEN = "fleet-test-token";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .sslContext(TestTls.trustingAnyone())
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final String url;

  public FleetApi(int port) {
    url = "https://127.0.0.1:" + port;
  }

  /** Writes the file of {@code --token-auth-file} that makes the token an administrator's. */
  static Path writeTokens(Path folder) throws IOException {
    return Files.writeString(folder.resolve("tokens.csv"), TOKEN + ",admin,1,\"system:masters\"\n");
  }

  /** An answer: its status, its body as text, and its tag. */
  public record Answer(int status, String body, String etag) {
    JsonObject object() {
      return JsonReader.read(body.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object
          ? object
          : JsonObject.EMPTY;
    }
  }

  public Answer get(String path, String... headers) {
    var request = HttpRequest.newBuilder(URI.create(url + path)).GET();
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  Answer send(String method, String path, JsonObject body) {
    return send(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("content-type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(JsonWriter.bytes(body))));
  }

  private static Answer send(HttpRequest.Builder request) {
    try {
      var response =
          CLIENT.send(
              request
                  .header("authorization", "Bearer " + TOKEN)
                  .timeout(Duration.ofSeconds(10))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return new Answer(
          response.statusCode(), response.body(), response.headers().firstValue("etag").orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The lines of an answer while they arrive. */
  BufferedReader stream(String path) throws IOException {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .header("authorization", "Bearer " + TOKEN)
            .build();
    try {
      var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofInputStream());
      return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  JsonObject object(String path) {
    var answer = get(path);
    return answer.status() == 200 ? answer.object() : JsonObject.EMPTY;
  }

  boolean ready() {
    try {
      return get("/readyz").status() == 200;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  /** What a discovery document says of the fleet; empty when it says nothing. */
  Optional<Boolean> consistent(String path, String... headers) {
    return get(path, headers).object().get("consistent") instanceof JsonBool told
        ? Optional.of(told.value())
        : Optional.empty();
  }

  Optional<Boolean> consistent() {
    return consistent("/apis");
  }

  List<JsonObject> leases(String namespace) {
    return object("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases")
        .array("items")
        .objects();
  }

  /** The IDs of the servers with an identity Lease. */
  List<String> identities() {
    return leases("kube-apiserver-lease").stream()
        .map(lease -> lease.object("spec").string("holderIdentity"))
        .toList();
  }

  /** The IDs of the servers with a row. */
  List<String> reporting() {
    return object("/apis/apiservercoordination.k8s.io/v1alpha1/discoverydochashes/builtin")
        .array("hashes")
        .objects()
        .stream()
        .map(row -> row.string("apiServerID"))
        .toList();
  }

  /** The ID of this server, as its metrics say. */
  String id() {
    for (var line : get("/metrics").body().lines().toList()) {
      if (line.startsWith("apiserver_identity_info{")) {
        return line.replaceAll(".*apiserver_id=\"([^\"]*)\".*", "$1");
      }
    }
    return "";
  }
}
