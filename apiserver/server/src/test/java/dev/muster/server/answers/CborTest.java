package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.wire.CborReader;
import dev.muster.wire.CborWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CBOR as kube-apiserver has it: behind a gate, which is off unless somebody says so. */
@Tag("slow")
class CborTest {
  private static final String CBOR = "application/cbor";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path directory;

  private static JsonObject map(String value) {
    return JsonObject.of(
        "apiVersion",
        "v1",
        "kind",
        "ConfigMap",
        "metadata",
        JsonObject.of("name", "a"),
        "data",
        JsonObject.of("k", value));
  }

  @Test
  void objectsListsAndAppliesAreTakenAndGivenWithTheGate() throws Exception {
    try (var server =
        RunningServer.start(directory, new MemoryStore(), Map.of("CBORServingAndStorage", true))) {
      var made = server.send("POST", MAPS, CBOR, CBOR, CborWriter.bytes(map("1")));
      assertThat(made.code()).isEqualTo(201);
      assertThat(read(made).object("data").string("k")).isEqualTo("1");
      var applied =
          server.send(
              "PATCH",
              MAPS + "/a?fieldManager=me&force=true",
              "application/apply-patch+cbor",
              CBOR,
              CborWriter.bytes(map("2")));
      assertThat(applied.code()).isEqualTo(200);
      assertThat(server.get(MAPS + "/a").object().object("data").string("k")).isEqualTo("2");
      var list = server.send("GET", MAPS, "", CBOR, new byte[0]);
      assertThat(read(list).string("kind")).isEqualTo("ConfigMapList");
      assertThat(read(list).array("items").object(0).object("data").string("k")).isEqualTo("2");
      var missing = server.send("GET", MAPS + "/missing", "", CBOR, new byte[0]);
      assertThat(missing.code()).isEqualTo(404);
      assertThat(read(missing).string("reason")).isEqualTo("NotFound");
      var gone = server.send("DELETE", MAPS + "/a", "", CBOR, new byte[0]);
      assertThat(read(gone).string("status")).isEqualTo("Success");
      server.send("POST", MAPS, CBOR, CBOR, CborWriter.bytes(map("1")));
      var broken =
          server.send(
              "PATCH",
              MAPS + "/a?fieldManager=me",
              "application/apply-patch+cbor",
              "application/json",
              new byte[] {(byte) 0xff, 1, 2});
      assertThat(broken.code()).isEqualTo(400);
      assertThat(broken.message()).startsWith("error decoding CBOR: ");
    }
  }

  @Test
  void withoutTheGateItIsNotKnown() throws Exception {
    try (var server = RunningServer.start(directory)) {
      assertThat(server.send("POST", MAPS, CBOR, "application/json", CborWriter.bytes(map("1"))))
          .satisfies(answer -> assertThat(answer.code()).isEqualTo(415));
      assertThat(
              server.send(
                  "PATCH",
                  MAPS + "/a?fieldManager=me",
                  "application/apply-patch+cbor",
                  "application/json",
                  CborWriter.bytes(map("1"))))
          .satisfies(answer -> assertThat(answer.code()).isEqualTo(415));
      assertThat(server.send("GET", MAPS, "", CBOR, new byte[0]).code()).isEqualTo(406);
    }
  }

  private static JsonObject read(RunningServer.Answer answer) {
    return (JsonObject) CborReader.read(answer.body());
  }
}
