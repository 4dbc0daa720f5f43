package dev.muster.it;

import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.Identity;
import dev.muster.pki.Pem;
import dev.muster.testing.ChildProcess;
import dev.muster.testing.TestTls;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A server of a benchmark, and those who ask it.
 *
 * @param authority of clients
 * @param serving that vouches for the server
 * @param folder with the files that its flags name
 * @param data where it keeps objects itself, or etcd does
 */
record CisServer(
    ChildProcess process,
    String url,
    Authority authority,
    X509Certificate serving,
    Path folder,
    Path data) {
  static final Duration DAY = Duration.ofDays(1);

  /** What came back. */
  record Answer(int code, String body) {
    JsonObject json() {
      return (JsonObject) JsonReader.read(body.getBytes(StandardCharsets.UTF_8));
    }
  }

  Answer admin(String method, String path, String body) throws Exception {
    return as("admin", List.of("system:masters"), method, path, body);
  }

  /** Asks with a certificate of the authority. */
  Answer as(String user, List<String> groups, String method, String path, String body)
      throws Exception {
    var identity = authority.component(user, groups, Instant.now(), DAY);
    return ask(identity, "", method, path, body);
  }

  /** Asks with a token, or with nothing at all. */
  Answer withToken(String token, String method, String path, String body) throws Exception {
    return ask(null, token, method, path, body);
  }

  Answer ask(@Nullable Identity identity, String token, String method, String path, String body)
      throws Exception {
    try (var client = HttpClient.newBuilder().sslContext(tls(identity, serving)).build()) {
      var request =
          HttpRequest.newBuilder(URI.create(url + path))
              .timeout(Duration.ofSeconds(60))
              .header(
                  "content-type",
                  method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
              .method(
                  method,
                  body.isEmpty()
                      ? BodyPublishers.noBody()
                      : BodyPublishers.ofString(body.replace('\'', '"')));
      if (!token.isEmpty()) {
        request.header("authorization", "Bearer " + token);
      }
      var answer = client.send(request.build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    }
  }

  /** TLS that shows one and believes the other. */
  static SSLContext tls(@Nullable Identity shown, X509Certificate believed) {
    return shown == null
        ? TestTls.trusting(List.of(believed))
        : TestTls.showing(shown.key(), shown.chain(), List.of(believed));
  }

  /** A certificate for servers on the loopback. */
  static Identity server(Authority authority) {
    var names =
        CertificateNames.of(List.of("localhost"), List.of(InetAddress.ofLiteral("127.0.0.1")));
    return authority.server("server", names, Instant.now(), DAY);
  }

  static void write(Path folder, String name, Identity identity) throws IOException {
    Files.writeString(folder.resolve(name + ".crt"), Pem.of(identity.chain()));
    Files.writeString(folder.resolve(name + ".key"), Pem.of(identity.key()));
  }
}
