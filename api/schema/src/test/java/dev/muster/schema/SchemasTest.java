package dev.muster.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.schema.Field.WhenEmpty;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SchemasTest {
  private static Field field(String definition, String name) {
    var field = Schemas.struct(definition).field(name);
    assertThat(field).as(definition + " " + name).isNotNull();
    return Objects.requireNonNull(field);
  }

  @Test
  void knowsTheFieldsOfAStructInTheirOrder() {
    assertThat(Schemas.struct("io.k8s.api.core.v1.ConfigMap").fields())
        .extracting(Field::name)
        .containsExactly("kind", "apiVersion", "metadata", "immutable", "data", "binaryData");
    assertThat(field("io.k8s.api.core.v1.ConfigMap", "immutable").number()).isEqualTo(4);
  }

  @Test
  void showsTheFieldsOfInlinedStructsOneLevelUp() {
    var emptyDir = field("io.k8s.api.core.v1.Volume", "emptyDir");
    assertThat(emptyDir.go().within()).containsExactly(new Field.Go.Embedded(2, "VolumeSource"));
    assertThat(field("io.k8s.api.admissionregistration.v1.NamedRuleWithOperations", "apiGroups"))
        .satisfies(f -> assertThat(f.go().within()).hasSize(2));
  }

  @Test
  void knowsListTypesMergeKeysDefaultsAndRequiredFields() {
    var ports = field("io.k8s.api.core.v1.Container", "ports");
    assertThat(ports.shape())
        .isInstanceOfSatisfying(
            ListShape.class,
            list -> {
              assertThat(list.kind()).isEqualTo(ListShape.Kind.MAP);
              assertThat(list.keys()).containsExactly("containerPort", "protocol");
            });
    assertThat(ports.patch()).isEqualTo(new Field.Patch(true, false, false, "containerPort"));
    assertThat(field("io.k8s.api.core.v1.ContainerPort", "protocol").defaultValue())
        .isEqualTo(Json.of("TCP"));
    assertThat(field("io.k8s.api.core.v1.PodSpec", "containers").required()).isTrue();
    assertThat(field("io.k8s.api.core.v1.PodSpec", "volumes").patch())
        .isEqualTo(new Field.Patch(true, false, true, "name"));
  }

  @Test
  void knowsWhatIsWrittenWhenAFieldIsEmpty() {
    assertThat(field("io.k8s.api.core.v1.Pod", "status").whenEmpty()).isEqualTo(WhenEmpty.ZERO);
    assertThat(field("io.k8s.api.core.v1.Container", "resources").whenEmpty())
        .isEqualTo(WhenEmpty.ZERO);
    assertThat(field("io.k8s.api.apps.v1.DeploymentSpec", "replicas").whenEmpty())
        .isEqualTo(WhenEmpty.KEEP);
    assertThat(field("io.k8s.api.rbac.v1.Role", "rules").whenEmpty()).isEqualTo(WhenEmpty.NULL);
    assertThat(field("io.k8s.api.core.v1.Container", "image").whenEmpty())
        .isEqualTo(WhenEmpty.OMIT);
    assertThat(field(Schemas.META + "ObjectMeta", "creationTimestamp").whenEmpty())
        .isEqualTo(WhenEmpty.OMIT);
  }

  @Test
  void aGranularReferenceMakesAnAtomicStructGranular() {
    var claim = field("io.k8s.api.core.v1.PersistentVolumeSpec", "claimRef").shape();
    assertThat(((StructShape) claim).atomic()).isFalse();
    assertThat(((StructShape) claim).field("uid")).isNotNull();
    assertThat(Schemas.struct("io.k8s.api.core.v1.ObjectReference").atomic()).isTrue();
  }

  @Test
  void findsKindsAndTheirLists() {
    assertThat(Schemas.of(new GroupVersionKind("apps", "v1", "DeploymentList"))).isNotNull();
    assertThat(Schemas.of(new GroupVersionKind("policy", "v1beta1", "Eviction"))).isNotNull();
    assertThat(Schemas.of(new GroupVersionKind("", "v1", "Status"))).isNotNull();
    assertThat(Schemas.of(new GroupVersionKind("apps", "v1", "DeleteOptions")))
        .isSameAs(Schemas.of(new GroupVersionKind("", "v1", "DeleteOptions")));
    assertThat(Schemas.of(new GroupVersionKind("apps", "v1", "Nonsense"))).isNull();
    assertThatThrownBy(() -> Schemas.struct("nonsense"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void findsEveryFieldByName() {
    for (var struct : Schemas.all()) {
      for (int i = 0; i < struct.size(); i++) {
        assertThat(struct.indexOf(struct.field(i).name())).isEqualTo(i);
      }
      assertThat(struct.field("noSuchField")).isNull();
    }
  }
}
