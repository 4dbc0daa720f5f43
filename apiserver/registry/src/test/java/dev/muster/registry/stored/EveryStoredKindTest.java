package dev.muster.registry.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.LegacyKinds;
import dev.muster.schema.StructShape;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.schema.storage.JsonStorageCodec;
import dev.muster.schema.storage.ProtobufStorageCodec;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.testing.objects.RandomObjects;
import dev.muster.types.BuiltIns;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind in every version that may be in a store, with all, some and none of its fields,
 * written as others write and as we do, and read through the other.
 */
class EveryStoredKindTest {
  private static final double[] DENSITIES = {1, 0.6, 0.3, 0};

  private final StoredValues json = values(new JsonStorageCodec());
  private final StoredValues protobuf =
      values(new ProtobufStorageCodec(BuiltInTypes.keptAsProtobuf()));

  /** A kind as it may be in a store, and the type whose collection it is in. */
  record Stored(GroupVersionKind kind, StructShape shape, ServedType type) {
    @Override
    public String toString() {
      return kind.apiVersion() + " " + kind.kind();
    }
  }

  private static StoredValues values(StorageCodec codec) {
    return new StoredValues(codec, List.of(Cidr.parse("10.0.0.0/24")), BuiltIns::readBy);
  }

  static Stream<Stored> kinds() {
    var served =
        BuiltIns.TYPES.all().stream()
            .filter(ServedType::isStored)
            .map(type -> stored(type.kind(), type.shape(), type));
    var former =
        LegacyKinds.all().values().stream()
            .map(
                kind ->
                    stored(
                        kind.kind(),
                        kind.shape(),
                        Objects.requireNonNull(BuiltIns.TYPES.ofKind(kind.served()))));
    return Stream.concat(served, former);
  }

  private static Stored stored(GroupVersionKind kind, StructShape shape, ServedType type) {
    return new Stored(
        kind, shape, Objects.requireNonNull(BuiltIns.TYPES.ofStorage(type.storage())));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isReadTheSameInEveryEncoding(Stored stored) {
    for (var object : objects(stored)) {
      var fromJson = read(stored, JsonWriter.bytes(object));
      assertThat(fromJson).contains("\"apiVersion\":\"" + stored.type.kind().apiVersion() + "\"");
      assertThat(read(stored, ProtobufCodec.encode(stored.shape, object))).isEqualTo(fromJson);
      assertThat(read(stored, YamlWriter.bytes(object))).isEqualTo(fromJson);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void isWrittenAsItWasRead(Stored stored) {
    for (var object : objects(stored)) {
      var served = read(stored, JsonWriter.bytes(object));
      var tree = (JsonObject) JsonReader.read(served.getBytes(StandardCharsets.UTF_8));
      var kept = stored.type.forStore(tree);
      var sealed = json.encode(kept);
      assertThat(new CanonicalChecksum(CanonicalChecksum.FORM).isOn(sealed)).isTrue();
      assertThat(read(stored, sealed)).isEqualTo(served);
      var unsealed = Arrays.copyOf(sealed, sealed.length - CanonicalChecksum.LENGTH);
      assertThat(read(stored, unsealed)).isEqualTo(served);
      assertThat(read(stored, protobuf.encode(kept))).isEqualTo(served);
    }
  }

  @Test
  void mutatingPoliciesAreKeptUnderTheNameThatTheReleaseBeforeKnows() {
    var type = Objects.requireNonNull(BuiltIns.TYPES.ofStorage("/mutatingadmissionpolicies"));
    var policy = new RandomObjects(7, 1).of(type.kind(), type.shape());
    for (var values : List.of(json, protobuf)) {
      var value = values.encode(type.forStore(policy));
      assertThat(ProtobufCodec.isEnvelope(value)).isEqualTo(values == protobuf);
      assertThat(value).asString(StandardCharsets.UTF_8).contains(type.kept().apiVersion());
      var read = values.decode(type.storage(), value, 3);
      assertThat(read.json()).asString(StandardCharsets.UTF_8).contains("k8s.io/v1\"");
      assertThat(read.outdated()).isFalse();
    }
  }

  private static List<JsonObject> objects(Stored stored) {
    return Arrays.stream(DENSITIES)
        .mapToObj(density -> new RandomObjects(7, density).of(stored.kind, stored.shape))
        .toList();
  }

  private String read(Stored stored, byte[] value) {
    return new String(json.decode(stored.type.storage(), value, 3).json(), StandardCharsets.UTF_8);
  }

  @Test
  void whatHasBecomeOfAFormerKindIsServed() {
    for (var former : LegacyKinds.all().values()) {
      assertThat(BuiltIns.TYPES.ofKind(former.served())).as("%s", former.kind()).isNotNull();
      assertThat(BuiltIns.TYPES.ofKind(former.kind())).as("%s", former.kind()).isNull();
    }
  }
}
