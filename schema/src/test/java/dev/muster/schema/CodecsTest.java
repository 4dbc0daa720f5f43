package dev.muster.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.CborReader;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CodecsTest {
  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void everyKindComesThroughEveryEncodingWithEveryField(Encoding encoding) {
    for (var kind : Schemas.kinds()) {
      var shape = Objects.requireNonNull(Schemas.of(kind));
      var object = TypedReader.normal(shape, new FilledObjects(13).of(kind, shape));
      var document = Codecs.decode(encoding, Codecs.encode(encoding, object, false));
      var typed = TypedReader.read(shape, document);
      assertThat(typed.complaints()).as(kind.toString()).isEmpty();
      assertThat(typed.object()).as(kind.toString()).isEqualTo(object);
    }
  }

  @ParameterizedTest
  @EnumSource
  void fuzzedBodiesAreRefusedAndNothingElse(Encoding encoding) {
    var kind = new GroupVersionKind("apps", "v1", "Deployment");
    var shape = Objects.requireNonNull(Schemas.of(kind));
    var object = TypedReader.normal(shape, new FilledObjects(17).of(kind, shape));
    var good = Codecs.encode(encoding, object, false);
    var random = new Random(19);
    for (int round = 0; round < 150; round++) {
      var bytes = good.clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        TypedReader.read(shape, Codecs.decode(encoding, bytes));
      } catch (DecodeException expected) {
        assertThat(expected.text()).isNotEmpty();
      }
    }
  }

  @Test
  void jsonEndsWithALineEndUnlessItIsPretty() {
    var object = (JsonObject) JsonReader.read(bytes("{\"a\":[],\"b\":{\"c\":[1,\"x, {\\\"\"]}}"));
    assertThat(Codecs.encode(Encoding.JSON, object, false))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"a\":[],\"b\":{\"c\":[1,\"x, {\\\"\"]}}\n");
    assertThat(Codecs.encode(Encoding.JSON, object, true))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            """
            {
              "a": [],
              "b": {
                "c": [
                  1,
                  "x, {\\""
                ]
              }
            }\
            """);
  }

  @Test
  void framesWatchEvents() {
    var object =
        bytes("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}");
    assertThat(Codecs.watchEvent(Encoding.JSON, "ADDED", object))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo(
            "{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
                + "\"metadata\":{\"name\":\"a\"}}}\n");
    assertThat(Codecs.watchEvent(Encoding.YAML, "ADDED", object))
        .asString(StandardCharsets.UTF_8)
        .startsWith("---\nobject:\n");
    var cbor = Codecs.watchEvent(Encoding.CBOR, "ADDED", object);
    assertThat(CborReader.read(cbor))
        .isEqualTo(JsonReader.read(Codecs.watchEvent(Encoding.JSON, "ADDED", object)));
  }

  @Test
  void saysWhatIsWrongInTheWordsOfEachEncoding() {
    assertThatThrownBy(() -> Codecs.decode(Encoding.JSON, bytes("{")))
        .hasMessage("couldn't get version/kind; json parse error: unexpected end of JSON input");
    assertThatThrownBy(() -> Codecs.decode(Encoding.YAML, bytes("a: b: c")))
        .hasMessage("yaml: mapping values are not allowed in this context");
    assertThatThrownBy(() -> Codecs.decode(Encoding.PROTOBUF, bytes("garbage")))
        .hasMessageStartingWith("provided data does not appear to be a protobuf message");
  }

  @Test
  void transcodesWithoutChangingAnything() {
    var json =
        bytes(
            "{\"kind\":\"Role\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\","
                + "\"metadata\":{\"name\":\"a\"},\"rules\":null}");
    for (var encoding : Encoding.values()) {
      var decoded = Codecs.decode(encoding, Codecs.transcode(encoding, json, false)).value();
      var shape = ((JsonObject) decoded).string("kind");
      assertThat(shape).isEqualTo("Role");
      assertThat(JsonWriter.bytes(decoded))
          .asString(StandardCharsets.UTF_8)
          .contains("\"rules\":null");
    }
  }
}
