package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.server.answer.Encoders;
import dev.muster.server.answer.PlainEncoding;
import dev.muster.testing.ChildProcess;
import dev.muster.wire.Encoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many clients that ask for large lists in every form and read them more slowly than they could be
 * made, of a server whose heap would not hold a tenth of that: others are answered meanwhile, what
 * waits stays within its budget, and everybody gets it all.
 */
@Tag("slow")
class SlowReadersTest {
  private static final int READERS = 6;
  private static final String LIST = "/api/v1/namespaces/slow/configmaps";

  /** How a list is asked for, and the bytes that the whole of it has when it is encoded at once. */
  private record Form(
      String name, String query, String accept, String acceptEncoding, Encoding encoding) {
    byte[] again(byte[] body) {
      if (encoding == Encoding.PROTOBUF) {
        return ProtobufCodec.encode(ProtobufCodec.decode(body));
      }
      return PlainEncoding.encode(
          encoding, (JsonObject) Encoders.decode(encoding, body).value(), !query.isEmpty());
    }
  }

  private static final List<Form> FORMS =
      List.of(
          new Form("JSON", "", "application/json", "identity", Encoding.JSON),
          new Form("pretty JSON", "?pretty=true", "application/json", "identity", Encoding.JSON),
          new Form("JSON in gzip", "", "application/json", "gzip", Encoding.JSON),
          new Form("YAML", "", "application/yaml", "identity", Encoding.YAML),
          new Form("YAML in gzip", "", "application/yaml", "gzip", Encoding.YAML),
          new Form(
              "protobuf", "", "application/vnd.kubernetes.protobuf", "identity", Encoding.PROTOBUF),
          new Form("CBOR", "", "application/cbor", "identity", Encoding.CBOR),
          new Form(
              "table",
              "",
              "application/json;as=Table;v=v1;g=meta.k8s.io",
              "identity",
              Encoding.JSON),
          new Form(
              "table in YAML",
              "",
              "application/yaml;as=Table;v=v1;g=meta.k8s.io",
              "identity",
              Encoding.YAML),
          new Form(
              "metadata",
              "",
              "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
              "identity",
              Encoding.JSON),
          new Form(
              "metadata in protobuf",
              "",
              "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
              "identity",
              Encoding.PROTOBUF));

  /** What was read in each form; what came more than once is kept, and checked, once. */
  private final Map<Form, List<byte[]>> received = new ConcurrentHashMap<>();

  private int port;

  @Test
  void everyFormIsMadeWhileItIsRead(@TempDir Path directory) throws Exception {
    var command = new ArrayList<>(ChildProcess.java(SmallServer.class, directory.toString()));
    command.replaceAll(argument -> argument.equals("-Xmx256m") ? "-Xmx96m" : argument);
    try (var process = ChildProcess.start(command)) {
      port = port(process);
      var tls = RunningServer.trusting(directory.resolve("pki/ca.crt"));
      try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
        var readings = readAll(ask(tls));
        assertThat(get(client, LIST + "/c001").statusCode()).isEqualTo(200);
        for (var reading : readings) {
          reading.get();
        }
        assertThat(received).containsOnlyKeys(FORMS);
        for (var each : received.entrySet()) {
          for (var body : each.getValue()) {
            check(each.getKey(), body);
          }
        }
        assertThat(metric(client, "muster_outgoing_bytes{which=\"most\"}"))
            .isLessThan(2.5 * metric(client, "muster_outgoing_bytes{which=\"limit\"}"));
        assertThat(process.isAlive()).isTrue();
      }
      assertThat(process.output()).noneMatch(line -> line.contains("OutOfMemory"));
    }
  }

  private static int port(ChildProcess process) throws InterruptedException {
    for (var line = process.nextLine(); line != null; line = process.nextLine()) {
      if (line.startsWith("port ")) {
        return Integer.parseInt(line.substring(5));
      }
    }
    throw new AssertionError("the server ended: " + process.output());
  }

  private record Reading(Form form, SlowReader reader) {}

  private List<Reading> ask(SSLContext tls) throws IOException {
    var readers = new ArrayList<Reading>();
    for (int i = 0; i < READERS; i++) {
      for (var form : FORMS) {
        var path = LIST + form.query();
        readers.add(
            new Reading(
                form, new SlowReader(tls, port, path, form.accept(), form.acceptEncoding())));
      }
    }
    return readers;
  }

  private List<Future<Void>> readAll(List<Reading> readers) {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var all = new ArrayList<Future<Void>>();
    for (var reading : readers) {
      all.add(threads.submit(() -> read(reading)));
    }
    threads.shutdown();
    return all;
  }

  /** Only keeps it: to look into it meanwhile would take the time of the other readers. */
  private Void read(Reading reading) throws IOException {
    try (var reader = reading.reader()) {
      var body = reader.read();
      received.compute(
          reading.form(),
          (_, known) -> {
            var all = known == null ? new ArrayList<byte[]>() : known;
            if (all.stream().noneMatch(other -> Arrays.equals(other, body))) {
              all.add(body);
            }
            return all;
          });
    }
    return null;
  }

  private static void check(Form form, byte[] sent) throws IOException {
    var body =
        form.acceptEncoding().equals("gzip")
            ? new GZIPInputStream(new ByteArrayInputStream(sent)).readAllBytes()
            : sent;
    assertThat(Arrays.equals(body, form.again(body))).as(form.name()).isTrue();
    var list = (JsonObject) Encoders.decode(form.encoding(), body).value();
    assertThat(list.array("items").size() + list.array("rows").size())
        .as(form.name())
        .isEqualTo(SmallServer.OBJECTS);
  }

  private double metric(HttpClient client, String name) throws Exception {
    return Stream.of(get(client, "/metrics").body().split("\n"))
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  private HttpResponse<String> get(HttpClient client, String path) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + RunningServer.TOKEN)
            .timeout(Duration.ofSeconds(60))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
