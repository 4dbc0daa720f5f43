package dev.muster.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.schema.read.TypedReader;
import dev.muster.wire.CborReader;
import dev.muster.wire.CborWriter;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlReader;
import dev.muster.wire.yaml.YamlWriter;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written in an encoding is read again as it was. */
class EveryEncodingTest {
  private static Document decode(Encoding encoding, byte[] body) {
    return switch (encoding) {
      case JSON -> JsonReader.document(body);
      case YAML -> YamlReader.document(body);
      case PROTOBUF -> new Document(ProtobufCodec.decode(body));
      case CBOR -> new Document(CborReader.read(body));
    };
  }

  private static byte[] encode(Encoding encoding, JsonObject object) {
    return switch (encoding) {
      case JSON -> JsonWriter.bytes(object);
      case YAML -> YamlWriter.bytes(object);
      case PROTOBUF -> ProtobufCodec.encode(object);
      case CBOR -> CborWriter.bytes(object);
    };
  }

  @ParameterizedTest
  @EnumSource
  void everyKindComesThroughEveryEncodingWithEveryField(Encoding encoding) {
    for (var kind : Schemas.kinds()) {
      var shape = Objects.requireNonNull(Schemas.of(kind));
      var object = TypedReader.normal(shape, new FilledObjects(13).of(kind, shape));
      var document = decode(encoding, encode(encoding, object));
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
    var good = encode(encoding, object);
    var random = new Random(19);
    for (int round = 0; round < 150; round++) {
      var bytes = good.clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        TypedReader.read(shape, decode(encoding, bytes));
      } catch (DecodeException expected) {
        assertThat(expected.text()).isNotEmpty();
      }
    }
  }
}
