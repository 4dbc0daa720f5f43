package dev.muster.server.answers;

import dev.muster.model.Cidr;
import dev.muster.model.JsonObject;
import dev.muster.server.ApiServer;
import dev.muster.server.ApiServerOptions;
import dev.muster.server.options.AdmissionOptions;
import dev.muster.server.options.ApiOptions;
import dev.muster.server.options.AuthenticationOptions;
import dev.muster.server.options.AuthorizationOptions;
import dev.muster.server.options.ListenOptions;
import dev.muster.server.options.ServiceOptions;
import dev.muster.server.options.TlsOptions;
import dev.muster.store.MemoryStore;
import dev.muster.store.Store;
import dev.muster.wire.JsonReader;
import java.io.IOException;
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
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
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
  private final String base;

  private RunningServer(ApiServer server, HttpClient client) {
    this.server = server;
    this.client = client;
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
    var tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",admin,1,\"system:masters\"\n");
    var defaults = ApiServerOptions.defaults();
    var loopback = InetAddress.ofLiteral("127.0.0.1");
    var options =
        new ApiServerOptions(
            new ListenOptions(
                List.of(loopback), 0, List.of(InetAddress.ofLiteral("192.0.2.10")), null, 250),
            new TlsOptions(
                null, null, directory.resolve("pki"), defaults.tls().minimumVersion(), List.of()),
            defaults.requests(),
            new AuthenticationOptions(null, tokens, true, List.of()),
            defaults.serviceAccounts(),
            new AuthorizationOptions(List.of(AuthorizationOptions.Mode.RBAC)),
            new AdmissionOptions(List.of(), List.of("ServiceAccount")),
            new ApiOptions(Map.of(), gates),
            new ServiceOptions(
                List.of(Cidr.parse("10.0.0.0/16"), Cidr.parse("fd00:10::/112")),
                defaults.services().nodePorts()),
            defaults.storage(),
            defaults.shutdown(),
            defaults.log());
    var server = ApiServer.start(options, store);
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(server::ready);
    return new RunningServer(server, client(directory.resolve("pki/ca.crt")));
  }

  private static HttpClient client(Path authority) throws IOException, GeneralSecurityException {
    return HttpClient.newBuilder().sslContext(trusting(authority)).build();
  }

  /** TLS that trusts what an authority signed. */
  static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (var in = Files.newInputStream(authority)) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var tls = SSLContext.getInstance("TLS");
    tls.init(null, trust.getTrustManagers(), null);
    return tls;
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

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
