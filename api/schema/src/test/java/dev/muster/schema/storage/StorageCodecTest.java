package dev.muster.schema.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.schema.storage.StorageCodec.Decoded;
import dev.muster.wire.DecodeException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageCodecTest {
  private static final String STORED =
      """
      {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"n","uid":"u",\
      "creationTimestamp":"2024-01-01T00:00:00Z","labels":{"x":"y"},"annotations":{"q":"\\"}{"}},\
      "data":{"k":"v"}}\
      """;
  private static final String SERVED =
      STORED.replace("\"uid\":\"u\"", "\"uid\":\"u\",\"resourceVersion\":\"42\"");

  private static final GroupVersionKind KEPT_AS_JSON =
      new GroupVersionKind("apiextensions.k8s.io", "v1", "CustomResourceDefinition");

  private final StorageCodec json = new JsonStorageCodec();
  private final StorageCodec protobuf =
      new ProtobufStorageCodec(kind -> kind.equals(KEPT_AS_JSON) ? null : Schemas.of(kind));

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Decoded decoded) {
    return new String(decoded.json(), StandardCharsets.UTF_8);
  }

  @Test
  void givesTheRevisionAsResourceVersionAfterTheUid() {
    var decoded = json.decode(bytes(STORED), 42);
    assertThat(text(decoded)).isEqualTo(SERVED);
    assertThat(decoded.namespace()).isEqualTo("n");
    assertThat(decoded.name()).isEqualTo("a");
    assertThat(decoded.uid()).isEqualTo("u");
    assertThat(decoded.labels()).isEqualTo(Map.of("x", "y"));
    var served = (JsonObject) JsonReader.read(decoded.json());
    assertThat(json.encode(served)).asString(StandardCharsets.UTF_8).isEqualTo(STORED);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20_000})
  void copiesWhatAnObjectSharesWithTheOneItWasMadeOf(int size) {
    var text = SERVED.replace("\"v\"", "\"" + "<v>".repeat(size) + "\"");
    var former = (JsonObject) JsonReader.read(bytes(text));
    var written = new StorageCodec.Written(former, json.decode(json.encode(former), 42).json());
    for (var object :
        List.of(
            former,
            former.with("status", JsonObject.of("phase", "done")),
            former.withAt(Json.of("b"), "metadata", "labels", "x"),
            former.withAt(Json.of("w"), "data", "more"),
            former.without("data"),
            (JsonObject) JsonReader.read(bytes(text)))) {
      assertThat(json.encode(object, written)).isEqualTo(json.encode(object));
    }
    var unversioned = former.withoutAt("metadata", "resourceVersion");
    written = new StorageCodec.Written(unversioned, written.json());
    assertThat(json.encode(unversioned, written)).isEqualTo(json.encode(former));
  }

  @Test
  void protobufAndJsonMeanTheSame() {
    var served = (JsonObject) JsonReader.read(bytes(SERVED));
    var stored = protobuf.encode(served);
    assertThat(stored).startsWith('k', '8', 's', 0);
    for (var codec : new StorageCodec[] {json, protobuf}) {
      var decoded = codec.decode(stored, 42);
      assertThat(text(decoded)).isEqualTo(SERVED);
      assertThat(decoded.labels()).isEqualTo(Map.of("x", "y"));
      assertThat(decoded.name()).isEqualTo("a");
    }
  }

  @Test
  void yamlAndJsonMeanTheSame() {
    var yaml = new YamlStorageCodec();
    var served = (JsonObject) JsonReader.read(bytes(SERVED));
    var stored = yaml.encode(served);
    assertThat(new String(stored, StandardCharsets.UTF_8))
        .startsWith("apiVersion: v1\n")
        .doesNotContain("resourceVersion");
    for (var codec : new StorageCodec[] {json, protobuf, yaml}) {
      assertThat(JsonReader.read(codec.decode(stored, 42).json())).isEqualTo(served);
    }
    assertThat(text(yaml.decode(bytes(STORED), 42))).isEqualTo(SERVED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"apiVersion\":\"v1\",\"kind\":\"X\",\"metadata\":{\"labels\":{},\"name\":\"a\",\"uid\":\"u\"},\"z\":[{}]}\n",
        "{ \"kind\" : \"X\", \"metadata\" : { \"name\" : \"a\", \"uid\": \"u\" } }",
        "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\",\"uid\":\"u\"}}",
        "{\"metadata\":{\"name\":\"\\u0061\",\"uid\":\"u\"}}",
        "{\"spec\":{\"metadata\":{\"name\":\"wrong\"}},\"metadata\":{\"name\":\"a\",\"uid\":\"u\"}}",
        "{\"metadata\":{\"managedFields\":[{\"a\":\"]\"}],\"name\":\"a\",\"uid\":\"u\"}}",
      })
  void readsWhatOthersWrote(String stored) {
    var decoded = json.decode(bytes(stored), 42);
    assertThat(decoded.name()).isEqualTo("a");
    assertThat(decoded.uid()).isEqualTo("u");
    var before = (JsonObject) JsonReader.read(bytes(stored));
    assertThat(JsonReader.read(decoded.json()))
        .isEqualTo(before.withAt(Json.of("42"), "metadata", "resourceVersion"));
  }

  @Test
  void putsTheResourceVersionEvenIntoEmptyMetadata() {
    assertThat(text(json.decode(bytes("{\"metadata\":{}}"), 1)))
        .isEqualTo("{\"metadata\":{\"resourceVersion\":\"1\"}}");
    assertThat(text(json.decode(bytes("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"), 1)))
        .isEqualTo("{\"metadata\":{\"resourceVersion\":\"1\",\"labels\":{\"a\":\"b\"}}}");
    assertThat(text(json.decode(bytes("{\"kind\":\"X\"}"), 1)))
        .isEqualTo("{\"kind\":\"X\",\"metadata\":{\"resourceVersion\":\"1\"}}");
  }

  @Test
  void keepsDefinitionsAndForeignKindsAsJson() {
    for (var kind : new String[] {"apiextensions.k8s.io/v1", "example.com/v1"}) {
      var object = JsonObject.of("kind", "CustomResourceDefinition", "apiVersion", kind);
      assertThat(protobuf.encode(object)).startsWith('{');
    }
  }

  @Test
  void refusesWhatIsNotAnObject() {
    assertThatThrownBy(() -> json.decode(bytes("[]"), 1))
        .hasMessage("the stored value is not an object");
    assertThatThrownBy(() -> json.decode(bytes("{\"metadata\":{\"name\":\"a\""), 1))
        .isInstanceOf(DecodeException.class);
    assertThatThrownBy(() -> json.decode(new byte[] {'k', '8', 's', 0, 1, 2, 3}, 1))
        .isInstanceOf(DecodeException.class);
  }
}
