package dev.muster.schema.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schema.generator.FoundTypes.Embedded;
import dev.muster.schema.generator.FoundTypes.Field;
import dev.muster.schema.generator.FoundTypes.Patch;
import dev.muster.schema.generator.FoundTypes.Shape;
import dev.muster.schema.generator.FoundTypes.Struct;
import dev.muster.schema.generator.FoundTypes.WhenEmpty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the client's jars and the table say together about the types of Kubernetes. */
class StructsTest {
  private static final String CORE = "io.k8s.api.core.v1.";
  private static final Map<String, Struct> ALL =
      new Structs(FieldTable.load())
          .all().stream().collect(Collectors.toMap(Struct::name, Function.identity()));

  private static Struct struct(String name) {
    return Objects.requireNonNull(ALL.get(name), name);
  }

  private static Field field(String struct, String name) {
    return struct(struct).fields().stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(struct + " has no " + name));
  }

  @Test
  void listsHaveTheKeysThatTellTheirMembersApart() {
    var ports = (Shape.Listing) field(CORE + "ServiceSpec", "ports").shape();
    assertThat(ports.type()).isEqualTo("MAP");
    assertThat(ports.keys()).containsExactly("port", "protocol");
    assertThat(ports.items()).isEqualTo(new Shape.Ref(CORE + "ServicePort", false));
    assertThat(field(CORE + "ServiceSpec", "ports").patch())
        .isEqualTo(new Patch(true, false, false, "port"));
    assertThat(field(CORE + "PodSpec", "containers").patch().mergeKey()).isEqualTo("name");
  }

  @Test
  void numbersAreThoseOfProtobuf() {
    assertThat(field(CORE + "PodSpec", "volumes").number()).isEqualTo(1);
    assertThat(field(CORE + "PodSpec", "containers").number()).isEqualTo(2);
  }

  @Test
  void whatProtobufSpellsInItsOwnWayHasItsNameInJson() {
    assertThat(field("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "uid").number())
        .isEqualTo(5);
    assertThat(field("io.k8s.api.rbac.v1.RoleRef", "apiGroup").number()).isEqualTo(1);
  }

  @Test
  void anObjectOfAKindBeginsWithItsKind() {
    var pod = struct(CORE + "Pod");
    assertThat(pod.kind()).isTrue();
    assertThat(pod.fields())
        .extracting(Field::name)
        .containsExactly("kind", "apiVersion", "metadata", "spec", "status");
    assertThat(field(CORE + "Pod", "kind").within()).containsExactly(new Embedded(0, "TypeMeta"));
    assertThat(struct(CORE + "PodSpec").kind()).isFalse();
  }

  @Test
  void metadataSpecAndStatusAreValuesAndOtherStructsPointers() {
    assertThat(field(CORE + "Pod", "spec").whenEmpty()).isEqualTo(WhenEmpty.ZERO);
    assertThat(field(CORE + "Pod", "metadata").whenEmpty()).isEqualTo(WhenEmpty.ZERO);
    assertThat(field(CORE + "PodSpec", "securityContext").whenEmpty()).isEqualTo(WhenEmpty.KEEP);
    assertThat(field(CORE + "PodSpec", "containers").whenEmpty()).isEqualTo(WhenEmpty.NULL);
    assertThat(field(CORE + "PodSpec", "volumes").whenEmpty()).isEqualTo(WhenEmpty.OMIT);
  }

  @Test
  void jsonShowsTheFieldsOfAnInlinedStructOneLevelUp() {
    assertThat(field(CORE + "Probe", "httpGet").within())
        .extracting(Embedded::name)
        .containsExactly("ProbeHandler");
    assertThat(struct(CORE + "Probe").fields()).extracting(Field::name).doesNotContain("handler");
  }

  @Test
  void aMessageAroundAListIsAListInJson() {
    var extra = field("io.k8s.api.authentication.v1.UserInfo", "extra").shape();
    assertThat(extra).isInstanceOf(Shape.Mapping.class);
    assertThat(((Shape.Mapping) extra).values())
        .isInstanceOfSatisfying(Shape.Listing.class, list -> assertThat(list.wrapped()).isTrue());
  }

  @Test
  void structsAndFieldsAreDescribed() {
    assertThat(struct(CORE + "Pod").description()).startsWith("Pod is a collection of containers");
    assertThat(field(CORE + "Pod", "spec").description())
        .startsWith("Specification of the desired behavior of the pod.");
  }

  @Test
  void anEntryOfTheTableThatNothingHasFailsTheBuild() throws IOException {
    try (var in = FieldTable.class.getResourceAsStream("fields.txt")) {
      var facts = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      var table = new FieldTable(facts + "\nNoSuchStruct\n  specification *\n");
      assertThatThrownBy(() -> new Structs(table).all())
          .hasMessageContaining("NoSuchStruct specification");
    }
  }

  @Test
  void aFileNamesOnlyStructsThatItHas() throws IOException {
    var table = FieldTable.load();
    var alone = List.of(struct(CORE + "Pod"));
    assertThatThrownBy(() -> SchemaFileWriter.of(alone, table))
        .hasMessage("no struct io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
    assertThat(SchemaFileWriter.of(List.copyOf(ALL.values()), table)).isNotEmpty();
  }
}
