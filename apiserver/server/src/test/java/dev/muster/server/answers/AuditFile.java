package dev.muster.server.answers;

import dev.muster.model.json.JsonObject;
import dev.muster.server.options.ApiServerOptions;
import dev.muster.server.options.AuditOptions;
import dev.muster.server.options.audit.AuditLogOptions;
import dev.muster.server.options.audit.AuditMode;
import dev.muster.server.options.audit.AuditWebhookOptions;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** The audit log of a server, in a file, and what a test wants to know of it. */
record AuditFile(Path log) {
  static final String EVERYTHING = "rules: [{level: RequestResponse}]";

  /** The options of a server that writes a log by that policy. */
  UnaryOperator<ApiServerOptions> logged(String policy, AuditMode mode) {
    return options ->
        options.withAudit(
            new AuditOptions(
                policyFile(log.resolveSibling("policy.yaml"), policy),
                options(log.toString(), mode),
                AuditWebhookOptions.defaults()));
  }

  static AuditLogOptions options(String path, AuditMode mode) {
    return new AuditLogOptions(
        path,
        AuditLogOptions.Format.JSON,
        "audit.k8s.io/v1",
        0,
        0,
        100,
        false,
        mode,
        10_000,
        1,
        Duration.ZERO,
        false,
        0,
        0,
        false,
        10 << 20,
        100 << 10);
  }

  static Path policyFile(Path file, String policy) {
    try {
      return Files.writeString(file, "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + policy + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<JsonObject> events() {
    try (var lines = Files.lines(log)) {
      return lines
          .map(line -> (JsonObject) JsonReader.read(line.getBytes(StandardCharsets.UTF_8)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The events about that URI, once the last of them is there. */
  List<JsonObject> about(String uri, String lastStage) {
    Predicate<JsonObject> concerned = event -> event.string("requestURI").equals(uri);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                events().stream()
                    .anyMatch(
                        event -> concerned.test(event) && event.string("stage").equals(lastStage)));
    return events().stream().filter(concerned).toList();
  }

  /** The last event about that URI. */
  JsonObject completed(String uri) {
    return about(uri, "ResponseComplete").getLast();
  }
}
