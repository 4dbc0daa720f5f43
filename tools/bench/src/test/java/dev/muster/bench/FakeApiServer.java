package dev.muster.bench;

import dev.muster.http.ErrorRenderer;
import dev.muster.http.Header;
import dev.muster.http.HttpExchange;
import dev.muster.http.HttpHandler;
import dev.muster.http.HttpStream;
import dev.muster.http.ServerResponse;
import dev.muster.http.listen.HttpServer;
import dev.muster.http.listen.HttpServerOptions;
import dev.muster.http.tls.TlsMaterial;
import dev.muster.http.tls.TlsOptions;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import dev.muster.pki.KubeconfigFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * As much of an API server as the load generator needs, on the real HTTP stack: objects by path,
 * lists by prefix, watches. Anonymous requests are refused.
 */
final class FakeApiServer implements AutoCloseable {
  static final String TOKEN = "a-token";
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]+)\"");

  private static final Pattern NODE = Pattern.compile("spec\\.nodeName%3D([^&]+)");

  /**
   * A watch and the connection that owns it.
   *
   * @param node whose pods it is about; "" for everything
   */
  private record Watch(HttpExchange exchange, HttpStream stream, String node) {
    boolean shows(String object) {
      return node.isEmpty() || object.contains("\"nodeName\":\"" + node + "\"");
    }
  }

  final Map<String, String> objects = new ConcurrentSkipListMap<>();
  private final List<Watch> watches = new CopyOnWriteArrayList<>();
  private final Authority authority =
      Authority.create("fake-ca", Instant.now(), Duration.ofHours(1));
  private final HttpServer server;
  volatile boolean broken;

  FakeApiServer() throws IOException {
    var identity =
        authority.server(
            "fake", CertificateNames.ofServer("", List.of()), Instant.now(), Duration.ofHours(1));
    server =
        HttpServer.start(
            HttpServerOptions.of(
                    List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                    TlsOptions.of(new TlsMaterial(identity.chain(), identity.key())))
                .withEventLoops(1),
            HttpHandler.ofWhole(ErrorRenderer.plainText(), this::handle));
  }

  Path kubeconfig(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("fake.kubeconfig"),
        KubeconfigFile.of(
            "fake",
            "https://127.0.0.1:" + server.addresses().getFirst().getPort(),
            List.of(authority.certificate()),
            "tester",
            TOKEN));
  }

  @Override
  public void close() {
    server.close();
  }

  private void handle(HttpExchange exchange) {
    if (broken) {
      answer(exchange, 500, "{\"message\":\"broken on purpose\"}");
      return;
    }
    if (!("Bearer " + TOKEN).equals(exchange.header("authorization"))) {
      answer(exchange, 401, "{\"message\":\"who are you\"}");
      return;
    }
    var path = exchange.path();
    switch (exchange.method()) {
      case "GET" -> get(exchange, path);
      case "POST" -> {
        var body = new String(exchange.body(), StandardCharsets.UTF_8);
        var name = NAME.matcher(body);
        if (name.find() && objects.putIfAbsent(path + "/" + name.group(1), body) == null) {
          answer(exchange, 201, body);
        } else {
          answer(exchange, 409, "{\"message\":\"already exists\"}");
        }
      }
      case "PUT" -> put(exchange, path);
      case "PATCH" -> patch(exchange, path);
      case "DELETE" -> delete(exchange, path);
      default -> answer(exchange, 405, "{}");
    }
  }

  private void get(HttpExchange exchange, String path) {
    if (exchange.query().contains("watch=true")) {
      var head =
          new ServerResponse(
              200, List.of(new Header("content-type", "application/json")), List.of(), false);
      var node = NODE.matcher(exchange.query());
      watches.add(new Watch(exchange, exchange.stream(head), node.find() ? node.group(1) : ""));
      return;
    }
    if (path.equals("/apis")) {
      answer(exchange, 200, "{\"kind\":\"APIGroupList\",\"groups\":[" + " ".repeat(200) + "]}");
      return;
    }
    if (path.startsWith("/openapi/")) {
      answer(exchange, 200, "{\"paths\":{" + " ".repeat(2_000) + "}}");
      return;
    }
    if (path.equals("/readyz")) {
      answer(exchange, 200, "ok");
      return;
    }
    var one = objects.get(path);
    if (one != null) {
      answer(exchange, 200, one);
    } else if (path.endsWith("/configmaps") || path.endsWith("/pods") || isDefined(path)) {
      var items = new ArrayList<byte[]>();
      items.add(bytes("{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":["));
      objects.forEach(
          (key, value) -> {
            if (key.startsWith(path + "/")) {
              items.add(bytes(value + ","));
            }
          });
      items.add(bytes("null]}"));
      exchange.respond(
          new ServerResponse(
              200, List.of(new Header("content-type", "application/json")), items, false));
    } else {
      answer(exchange, 404, "{\"message\":\"not found\"}");
    }
  }

  /** Whether somebody has defined what that path is the collection of. */
  private boolean isDefined(String path) {
    var words = path.split("/");
    return words.length > 4
        && objects.containsKey(DEFINITIONS + words[words.length - 1] + "." + words[2]);
  }

  /** The objects of a definition go with it. */
  private void delete(HttpExchange exchange, String path) {
    if (path.startsWith(DEFINITIONS)) {
      var name = path.substring(DEFINITIONS.length());
      int dot = name.indexOf('.');
      var group = "/apis/" + name.substring(dot + 1) + "/";
      var plural = "/" + name.substring(0, dot) + "/";
      objects.keySet().removeIf(key -> key.startsWith(group) && key.contains(plural));
    }
    answer(exchange, objects.remove(path) == null ? 404 : 200, "{}");
  }

  private void put(HttpExchange exchange, String path) {
    if (path.endsWith("/finalize")) {
      objects.remove(path.substring(0, path.length() - "/finalize".length()));
      answer(exchange, 200, "{}");
      return;
    }
    var body = new String(exchange.body(), StandardCharsets.UTF_8);
    objects.put(path, body);
    answer(exchange, 200, body);
    report(body, body);
  }

  /** Tells those who watch an object what it looks like now. */
  private void report(String object, String now) {
    var event = bytes("{\"type\":\"MODIFIED\",\"object\":" + now + "}\n");
    for (var watch : watches) {
      if (!watch.shows(object)) {
        continue;
      }
      watch
          .exchange()
          .eventLoop()
          .execute(
              () -> {
                if (watch.stream().open()) {
                  watch.stream().write(event);
                  watch.stream().flush();
                }
              });
    }
  }

  /** Makes what is not there, as an apply does, and otherwise only answers as if it had patched. */
  private void patch(HttpExchange exchange, String path) {
    var body = new String(exchange.body(), StandardCharsets.UTF_8);
    if (path.endsWith("/status")) {
      var whole = objects.getOrDefault(path.substring(0, path.length() - "/status".length()), "{}");
      answer(exchange, 200, whole);
      report(whole, body);
      return;
    }
    var object = objects.computeIfAbsent(path, ignored -> body);
    answer(exchange, 200, object + " ".repeat(5_000));
  }

  private static void answer(HttpExchange exchange, int status, String body) {
    exchange.respond(ServerResponse.of(status, "application/json", bytes(body)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
