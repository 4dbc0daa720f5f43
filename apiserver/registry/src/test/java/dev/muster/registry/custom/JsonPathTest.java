package dev.muster.registry.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths as printer columns have them. */
class JsonPathTest {
  private static final JsonObject OBJECT =
      (JsonObject)
          JsonReader.read(
              """
              {"spec":{"n":3,"a.b":"dotted","list":["x","y","z"],
                "ports":[{"name":"http","port":80},{"name":"https","port":443}]},
               "status":{"conditions":[{"type":"Ready","status":"True"},
                {"type":"Live","status":"False"}]}}
              """
                  .getBytes(StandardCharsets.UTF_8));

  private static String first(String path) {
    return String.valueOf(Objects.requireNonNull(JsonPathParser.parse(path)).first(OBJECT));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        ".spec.n | 3",
        ".spec['n'] | 3",
        ".spec.a\\.b | \"dotted\"",
        ".spec.list[0] | \"x\"",
        ".spec.list[-1] | \"z\"",
        ".spec.list[1:] | \"y\"",
        ".spec.list[*] | \"x\"",
        ".spec.ports[?(@.port>100)].name | \"https\"",
        ".status.conditions[?(@.type==\"Live\")].status | \"False\"",
        ".status.conditions[?(@.type=='Ready')].status | \"True\"",
        "..port | 80",
        ".spec.nothing | null",
        ".spec.list[7] | null",
        ".spec.n[0] | null",
        ".status.conditions[?(@.type==1)].status | null",
      })
  void findsTheFirstValue(String path, String expected) {
    assertThat(first(path)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {".spec[", ".spec[?(@.a", ".spec[x]", "}", ".a[?(@.b==1e)]"})
  void aPathThatCannotBeReadIsNone(String path) {
    assertThat(JsonPathParser.parse(path)).isNull();
  }

  @Test
  void aPathThatWouldLookAtEverythingManyTimesOverEnds() {
    var deep = OBJECT;
    for (int i = 0; i < 300; i++) {
      deep = JsonObject.of("a", deep, "b", JsonObject.of("c", i));
    }
    var path = Objects.requireNonNull(JsonPathParser.parse("..[*]..[*]..[*]..nothing"));
    assertThat(path.first(deep)).isNull();
  }
}
