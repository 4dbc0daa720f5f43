package dev.muster.server.answers;

import dev.muster.http.RawHttp1;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Pem;
import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.server.ApiServer;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServiceOptions;
import dev.muster.server.options.ServingOptions;
import dev.muster.server.proxy.Network;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;

/** A whole server on a store in memory, and a client of it that may do everything. */
final class RunningServer implements AutoCloseable {
  static final String JSON = "application/json";
  static final String MERGE = "application/merge-patch+json";
  static final String STRATEGIC = "application/strategic-merge-patch+json";
  static final String JSON_PATCH = "application/json-patch+json";
  static final String APPLY = "application/apply-patch+yaml";

  static final String TOKEN = "of-the-test";
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final ApiServer server;
  private final HttpClient client;
  private final SSLContext tls;
  private final String base;

  private RunningServer(ApiServer server, SSLContext tls) {
    this.server = server;
    this.tls = tls;
    this.client = HttpClient.newBuilder().sslContext(tls).build();
    this.base = "https://127.0.0.1:" + server.addresses().getFirst().getPort();
  }

  /**
   * @param directory for its certificates and tokens
   */
  static RunningServer start(Path directory) throws IOException, GeneralSecurityException {
    return start(directory, new MemoryStore(), Map.of());
  }

  static RunningServer start(Path directory, Store store)
      throws IOException, GeneralSecurityException {
    return start(directory, store, Map.of());
  }

  static RunningServer start(Path directory, Store store, Map<String, Boolean> gates)
      throws IOException, GeneralSecurityException {
    return start(directory, store, gates, CustomTypes::new);
  }

  /** With what the test changes in the options. */
  static RunningServer start(Path directory, UnaryOperator<ApiServerOptions> change)
      throws IOException, GeneralSecurityException {
    return start(directory, change, Network.SYSTEM);
  }

  /** On a store that may have been used before, with what the test changes in the options. */
  static RunningServer start(Path directory, Store store, UnaryOperator<ApiServerOptions> change)
      throws IOException, GeneralSecurityException {
    var options = change.apply(options(directory, Map.of()));
    return start(directory, store, options, CustomTypes::new, Network.SYSTEM);
  }

  /** With nodes, pods and services in that network. */
  static RunningServer start(
      Path directory, UnaryOperator<ApiServerOptions> change, Network network)
      throws IOException, GeneralSecurityException {
    var options = change.apply(options(directory, Map.of()));
    return start(directory, new MemoryStore(), options, CustomTypes::new, network);
  }

  /**
   * @param definitions how types come and go
   */
  static RunningServer start(
      Path directory,
      Store store,
      Map<String, Boolean> gates,
      Function<WebhookConversion, KeySpaceDefinitions> definitions)
      throws IOException, GeneralSecurityException {
    return start(directory, store, options(directory, gates), definitions, Network.SYSTEM);
  }

  private static RunningServer start(
      Path directory,
      Store store,
      ApiServerOptions options,
      Function<WebhookConversion, KeySpaceDefinitions> definitions,
      Network network)
      throws IOException, GeneralSecurityException {
    var server =
        ApiServer.start(options, store, List.of(), Clock.systemUTC(), definitions, network);
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(server::ready);
    return new RunningServer(server, trusting(directory.resolve("pki/ca.crt")));
  }

  private static ApiServerOptions options(Path directory, Map<String, Boolean> gates)
      throws IOException {
    var tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,1,\"system:masters\"\n");
    var defaults = ApiServerOptions.defaults();
    var loopback = InetAddress.ofLiteral("127.0.0.1");
    return defaults.with(
        new ListenOptions(
            List.of(loopback), 0, List.of(InetAddress.ofLiteral("192.0.2.10")), null, 250),
        new ServingOptions(
            null, null, directory.resolve("pki"), defaults.tls().minimumVersion(), List.of()),
        new AuthenticationOptions(null, tokens, true, List.of()),
        new AdmissionOptions(List.of(), List.of("ServiceAccount")),
        new ApiOptions(Map.of(), gates),
        new ServiceOptions(
            List.of(Cidr.parse("10.0.0.0/16"), Cidr.parse("fd00:10::/112")),
            defaults.services().nodePorts()),
        defaults.nodes().withPrivileged(true));
  }

  /** TLS that trusts what an authority signed. */
  static SSLContext trusting(Path authority) {
    return TestTls.trusting(Pem.certificates(Pem.read(authority)));
  }

  /** A connection on which a test says what it wants to. */
  RawHttp1 connect() throws IOException {
    var socket = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port());
    socket.setSoTimeout(20_000);
    return new RawHttp1(socket);
  }

  int port() {
    return server.addresses().getFirst().getPort();
  }

  /** What the server said. */
  record Answer(int code, byte[] body, List<String> warnings) {
    JsonObject object() {
      return JsonReader.read(body) instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    /** The message of a Status. */
    String message() {
      return object().string("message");
    }
  }

  /** A namespace of its own for a test. */
  String namespace() {
    var name = "test-" + NAMES.incrementAndGet();
    post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    return name;
  }

  ApiServer server() {
    return server;
  }

  Answer get(String path) {
    return send("GET", path, "", JSON, new byte[0]);
  }

  Answer post(String path, String body) {
    return send("POST", path, JSON, JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  Answer put(String path, String body) {
    return send("PUT", path, JSON, JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  Answer patch(String path, String type, String body) {
    return send("PATCH", path, type, JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  Answer delete(String path, String body) {
    return send("DELETE", path, JSON, JSON, body.getBytes(StandardCharsets.UTF_8));
  }

  /** The value of a metric without labels, or with those that are part of the name. */
  double metric(String name) {
    return get("/metrics")
        .text()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** A request without a body, with the whole of its answer. */
  HttpResponse<byte[]> exchange(String method, String path, String accept, String ifNoneMatch) {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Accept", accept)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!ifNoneMatch.isEmpty()) {
      request.header("If-None-Match", ifNoneMatch);
    }
    return sent(request.build());
  }

  private HttpResponse<byte[]> sent(HttpRequest request) {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A request with these headers, as its names and values in turn; only its head is waited for. */
  CompletableFuture<HttpResponse<InputStream>> open(
      HttpClient.Version version, String method, String path, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .version(version)
            .header("Authorization", "Bearer " + TOKEN)
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
  }

  /** A request in somebody's name, with the whole of its answer. */
  CompletableFuture<HttpResponse<String>> as(String user, String method, String path, String body) {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Impersonate-User", user)
            .header("Impersonate-Group", "tenants")
            .header("Content-Type", JSON)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** A connection for whatever text a test wants to send; its client is trusted with nothing. */
  SSLSocket socket() throws IOException {
    var socket =
        (SSLSocket)
            client
                .sslContext()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.addresses().getFirst().getPort());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /** The header that lets an administrator in. */
  static String authorization() {
    return "authorization: Bearer " + TOKEN;
  }

  /** A request without any credentials. */
  Answer anonymously(String path) {
    var response = sent(HttpRequest.newBuilder(URI.create(base + path)).build());
    return new Answer(response.statusCode(), response.body(), List.of());
  }

  /** A request of somebody else. */
  Answer as(String token, String path) {
    var request =
        HttpRequest.newBuilder(URI.create(base + path)).header("Authorization", "Bearer " + token);
    return unauthenticated(request);
  }

  /** A request with credentials of a test's own choice, or with none. */
  Answer unauthenticated(HttpRequest.Builder request) {
    var response = sent(request.build());
    return new Answer(response.statusCode(), response.body(), List.of());
  }

  Answer send(String method, String path, String contentType, String accept, byte[] body) {
    var request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Accept", accept)
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    if (!contentType.isEmpty()) {
      request.header("Content-Type", contentType);
    }
    var response = sent(request.build());
    return new Answer(
        response.statusCode(), response.body(), response.headers().allValues("Warning"));
  }

  /** Where a path of this server is. */
  String url(String path) {
    return base + path;
  }

  /** A request of a test's own making, in the name of an administrator. */
  Answer send(HttpRequest.Builder request) {
    var response = sent(request.header("Authorization", "Bearer " + TOKEN).build());
    return new Answer(
        response.statusCode(), response.body(), response.headers().allValues("Warning"));
  }

  @Override
  public void close() {
    client.shutdownNow();
    server.close();
  }
}
