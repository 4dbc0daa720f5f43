package dev.muster.schema.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.schema.generator.FoundTypes.Patch;
import dev.muster.schema.generator.FoundTypes.Shape;
import dev.muster.schema.generator.FoundTypes.WhenEmpty;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldTableTest {
  private static final String TABLE =
      """
      # a comment
      [a.b.v1] b.example.com
      Thing atomic
        ports map(port,protocol) merge(port)
        size * default=3
      Other whole kind

      [a.c.v1]
      """;

  private static Marks marks(String... words) {
    return new Marks(Set.of(words));
  }

  @Test
  void readsSectionsStructsAndFields() {
    var table = new FieldTable(TABLE);
    assertThat(table.packages()).containsExactly("a.b.v1", "a.c.v1");
    assertThat(table.group("a.b.v1")).isEqualTo("b.example.com");
    assertThat(table.group("a.c.v1")).isEmpty();
    assertThat(table.struct("a.b.v1.Thing").marks()).containsExactly("atomic");
    assertThat(table.struct("a.b.v1.Thing").fields()).containsOnlyKeys("ports", "size");
    assertThat(table.struct("a.c.v1.Plain").fields()).isEmpty();
    assertThat(table.whole()).containsExactly("a.b.v1.Other");
    assertThat(table.allEntries()).containsExactly("a.b.v1.Thing ports", "a.b.v1.Thing size");
  }

  @Test
  void refusesWhatBelongsToNothingOrStandsTwice() {
    assertThatThrownBy(() -> new FieldTable("Thing\n")).hasMessageContaining("outside any section");
    assertThatThrownBy(() -> new FieldTable("[a.v1]\n  field *\n"))
        .hasMessageContaining("outside any struct");
    assertThatThrownBy(() -> new FieldTable("[a.v1]\nThing\n  size *\n  size value\n"))
        .hasMessageContaining("or twice");
    assertThatThrownBy(() -> new FieldTable(TABLE).group("z.v1"))
        .hasMessage("no section [z.v1] in fields.txt");
  }

  @Test
  void wordsSayHowListsAreMergedAndPatched() {
    var ports = new FieldTable(TABLE).struct("a.b.v1.Thing").fields().get("ports");
    var words = new Marks(Objects.requireNonNull(ports));
    assertThat(words.listType()).isEqualTo("MAP");
    assertThat(words.keys()).containsExactly("port", "protocol");
    assertThat(words.patch()).isEqualTo(new Patch(true, false, false, "port"));
    assertThat(marks("set").listType()).isEqualTo("SET");
    assertThat(marks("atomic").listType()).isEqualTo("ATOMIC");
    assertThat(marks().patch().isNone()).isTrue();
    assertThat(marks("replace", "retainKeys").patch()).isEqualTo(new Patch(false, true, true, ""));
    assertThat(marks("default=3", "#7", "go:v1.Port").defaultValue()).isEqualTo("3");
    assertThat(marks("default=3", "#7", "go:v1.Port").number()).isEqualTo(7);
    assertThat(marks("default=3", "#7", "go:v1.Port").goType()).isEqualTo("v1.Port");
  }

  @ParameterizedTest
  @CsvSource({
    "STRING, '', false, OMIT",
    "STRING, '', true, ZERO",
    "STRING, omitempty, true, OMIT",
    "STRING, always, false, ZERO",
    "STRING, *, false, KEEP",
    "INT32, '', true, ZERO",
    "QUANTITY, '', false, KEEP",
    "QUANTITY, value, false, ZERO",
    "TIME, '', false, NULL",
    "TIME, omitempty, false, OMIT",
    "TIME, *, false, KEEP",
    "SCHEMA_OR_BOOL, '', true, KEEP"
  })
  void wordsSayWhatAnEncoderWritesForNothing(
      String scalar, String word, boolean required, WhenEmpty expected) {
    assertThat(marks(word).whenEmpty(new Shape.Scalar(scalar), required, false))
        .isEqualTo(expected);
  }

  @Test
  void structsAreValuesWhereGoHasThemByValue() {
    var struct = new Shape.Ref("a.b.v1.Thing", false);
    assertThat(marks().whenEmpty(struct, false, false)).isEqualTo(WhenEmpty.KEEP);
    assertThat(marks().whenEmpty(struct, true, false)).isEqualTo(WhenEmpty.ZERO);
    assertThat(marks().whenEmpty(struct, false, true)).isEqualTo(WhenEmpty.ZERO);
    assertThat(marks("*").whenEmpty(struct, true, true)).isEqualTo(WhenEmpty.KEEP);
    assertThat(marks("*", "always").whenEmpty(struct, true, true)).isEqualTo(WhenEmpty.NULL);
  }
}
