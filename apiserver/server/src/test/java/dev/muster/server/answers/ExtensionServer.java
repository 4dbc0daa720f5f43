package dev.muster.server.answers;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Identity;
import dev.muster.wire.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * An API server behind the one that is tested. It believes what the headers say about the user, and
 * tells it: {@code stars} are cluster-scoped and show what was asked for.
 */
final class ExtensionServer implements AutoCloseable {
  private static final String LINE = "\r\n";

  private final String group;
  private final TestBackend backend;
  private final CountDownLatch released = new CountDownLatch(1);

  private ExtensionServer(String group, Identity identity)
      throws IOException, GeneralSecurityException {
    this.group = group;
    this.backend = TestBackend.tls(identity, this::answer);
  }

  static ExtensionServer start(String group, Identity identity)
      throws IOException, GeneralSecurityException {
    return new ExtensionServer(group, identity);
  }

  TestBackend backend() {
    return backend;
  }

  /** What users asked for, not what the server itself wanted to know. */
  List<TestBackend.Seen> seen() {
    return backend.seen().stream()
        .filter(request -> !request.header("x-remote-user").contains("system:kube-aggregator"))
        .toList();
  }

  /** Lets go of those who wait. */
  void release() {
    released.countDown();
  }

  private void answer(TestBackend.Seen request, TestBackend.Connection connection)
      throws IOException {
    var path = request.target().split("\\?")[0];
    var last = path.substring(path.lastIndexOf('/') + 1);
    if (path.equals("/apis/" + group + "/v1")) {
      json(connection, 200, resources());
    } else if (path.equals("/openapi/v3")) {
      json(connection, 200, index());
    } else if (path.startsWith("/openapi/v3/")) {
      json(connection, 200, JsonObject.of("openapi", "3.0.0", "asked", request.target()));
    } else if (path.equals("/openapi/v2")) {
      json(connection, 200, swagger());
    } else {
      star(last, request, connection);
    }
  }

  private void star(String name, TestBackend.Seen request, TestBackend.Connection connection)
      throws IOException {
    switch (name) {
      case "apis" -> json(connection, 404, JsonObject.of("kind", "Status"));
      case "hanging" -> connection.hold();
      case "garbage" -> connection.send("this is no HTTP" + LINE + LINE);
      case "closing" -> {}
      case "moved" ->
          connection.send(
              "HTTP/1.1 302 Found"
                  + LINE
                  + "location: https://evil.example/"
                  + LINE
                  + "content-length: 0"
                  + LINE
                  + LINE);
      case "cut" ->
          connection.send("HTTP/1.1 200 OK" + LINE + "content-length: 100" + LINE + LINE + "x");
      case "endless" -> endless(connection);
      case "watched" -> watched(connection);
      case "uploaded" -> uploaded(request, connection);
      case "echo" -> echo(connection);
      case "refusing" ->
          connection.send(
              "HTTP/1.1 403 Forbidden" + LINE + "content-length: 2" + LINE + LINE + "no");
      case "ignoring" -> json(connection, 200, JsonObject.EMPTY);
      default -> json(connection, 200, told(name, request));
    }
  }

  private static JsonObject told(String name, TestBackend.Seen request) {
    return JsonObject.of(
        "kind", "Star",
        "apiVersion", "v1",
        "metadata", JsonObject.of("name", name),
        "line", request.line(),
        "headers", JsonArray.ofStrings(request.headers()),
        "client", request.client(),
        "sent", request.body());
  }

  private JsonObject resources() {
    return JsonObject.of(
        "kind",
        "APIResourceList",
        "apiVersion",
        "v1",
        "groupVersion",
        group + "/v1",
        "resources",
        JsonArray.of(
            JsonObject.of(
                "name", "stars",
                "singularName", "star",
                "namespaced", false,
                "kind", "Star",
                "verbs", JsonArray.ofStrings(List.of("get", "list", "watch")))));
  }

  private JsonObject index() {
    return JsonObject.of(
        "paths",
        JsonObject.of(
            "apis/" + group + "/v1",
            JsonObject.of("serverRelativeURL", "/openapi/v3/apis/" + group + "/v1?hash=A"),
            "apis/apps/v1",
            JsonObject.of("serverRelativeURL", "/openapi/v3/apis/apps/v1?hash=EVIL")));
  }

  private JsonObject swagger() {
    var operation =
        JsonObject.of(
            "get",
            JsonObject.of(
                "operationId",
                "listStars",
                "responses",
                JsonObject.of(
                    "200",
                    JsonObject.of(
                        "description",
                        "OK",
                        "schema",
                        JsonObject.of("$ref", "#/definitions/Star")))));
    return JsonObject.of(
        "swagger", "2.0",
        "paths",
            JsonObject.of(
                "/apis/" + group + "/v1/stars", operation, "/apis/apps/v1/evil", operation),
        "definitions",
            JsonObject.of(
                "Star", JsonObject.of("type", "object"), "Other", JsonObject.of("type", "object")));
  }

  private static void json(TestBackend.Connection connection, int status, JsonObject body)
      throws IOException {
    var text = new String(JsonWriter.bytes(body), StandardCharsets.ISO_8859_1);
    connection.send(
        "HTTP/1.1 "
            + status
            + " Status"
            + LINE
            + "content-type: application/json"
            + LINE
            + "warning: 299 - \"from behind\""
            + LINE
            + "content-length: "
            + text.length()
            + LINE
            + LINE
            + text);
  }

  private static void endless(TestBackend.Connection connection) throws IOException {
    connection.send("HTTP/1.1 200 OK" + LINE + "transfer-encoding: chunked" + LINE + LINE);
    var piece = "x".repeat(0x10000);
    while (true) {
      connection.send("10000" + LINE + piece + LINE);
    }
  }

  private void watched(TestBackend.Connection connection) throws IOException {
    connection
        .send(
            "HTTP/1.1 200 OK"
                + LINE
                + "content-type: application/json"
                + LINE
                + "transfer-encoding: chunked"
                + LINE
                + LINE)
        .send("2" + LINE + "1\n" + LINE);
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.send("2" + LINE + "2\n" + LINE + "0" + LINE + LINE);
  }

  /** Answers with how much was sent in chunks. */
  private static void uploaded(TestBackend.Seen request, TestBackend.Connection connection)
      throws IOException {
    long sum = request.body().length();
    if (request.header("transfer-encoding").contains("chunked")) {
      for (int size = chunk(connection); size > 0; size = chunk(connection)) {
        sum += connection.in().readNBytes(size + 2).length - 2;
      }
    }
    json(connection, 200, JsonObject.of("bytes", sum));
  }

  private static int chunk(TestBackend.Connection connection) throws IOException {
    var line = new StringBuilder();
    for (int next = connection.in().read(); next != '\n'; next = connection.in().read()) {
      line.append((char) next);
    }
    return Integer.parseInt(line.toString().strip(), 16);
  }

  /** Agrees on another protocol, in which it says hello and then everything twice. */
  private static void echo(TestBackend.Connection connection) throws IOException {
    connection.send(
        "HTTP/1.1 101 Switching Protocols"
            + LINE
            + "connection: Upgrade"
            + LINE
            + "upgrade: twice"
            + LINE
            + "x-told: yes"
            + LINE
            + LINE
            + "hello\n");
    for (int next = connection.in().read(); next >= 0; next = connection.in().read()) {
      connection.out().write(new byte[] {(byte) next, (byte) next});
      connection.out().flush();
    }
  }

  @Override
  public void close() {
    release();
    backend.close();
  }
}
