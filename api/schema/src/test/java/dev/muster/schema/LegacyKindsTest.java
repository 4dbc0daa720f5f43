package dev.muster.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.schema.read.TypedReader;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LegacyKindsTest {
  static Stream<LegacyKinds.FormerKind> kinds() {
    return LegacyKinds.all().values().stream();
  }

  private static LegacyKinds.FormerKind kind(String version, String kind) {
    return Objects.requireNonNull(LegacyKinds.of(GroupVersion.parse(version).kind(kind)));
  }

  private static StructShape struct(LegacyKinds.FormerKind kind, String... path) {
    Shape shape = kind.shape();
    for (var name : path) {
      shape = Objects.requireNonNull(((StructShape) shape).field(name)).shape();
      shape = shape instanceof ListShape list ? list.items() : shape;
    }
    return (StructShape) shape;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void objectsAreTheSameInJsonAndProtobuf(LegacyKinds.FormerKind former) {
    var object =
        TypedReader.normal(former.shape(), new FilledObjects(11).of(former.kind(), former.shape()));
    var bytes = ProtobufCodec.encode(former.shape(), object);
    JsonObject read =
        ProtobufCodec.decode(bytes, kind -> kind.equals(former.kind()) ? former.shape() : null);
    assertThat(read).isEqualTo(object);
  }

  @Test
  void structsThatAreListedDifferFromTodays() {
    var backend = struct(kind("networking.k8s.io/v1beta1", "Ingress"), "spec", "backend");
    assertThat(backend.fields())
        .extracting(Field::name)
        .containsExactlyInAnyOrder("resource", "serviceName", "servicePort");
    var rule = struct(kind("rbac.authorization.k8s.io/v1alpha1", "Role"), "rules");
    assertThat(Objects.requireNonNull(rule.field("resources")).number()).isEqualTo(4);
    var request = struct(kind("resource.k8s.io/v1beta1", "ResourceClaim"), "spec", "devices");
    assertThat(((StructShape) items(request, "requests")).field("exactly")).isNull();
  }

  private static Shape items(StructShape struct, String list) {
    return ((ListShape) Objects.requireNonNull(struct.field(list)).shape()).items();
  }

  @Test
  void structsThatAreNotListedAreTodaysOwn() {
    assertThat(kind("coordination.k8s.io/v1beta1", "Lease").shape())
        .isSameAs(Schemas.of(new GroupVersionKind("coordination.k8s.io", "v1", "Lease")));
    assertThat(struct(kind("extensions/v1beta1", "Deployment"), "spec", "template"))
        .isSameAs(Schemas.struct("io.k8s.api.core.v1.PodTemplateSpec"));
  }
}
