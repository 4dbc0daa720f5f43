package dev.muster.wire.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.testing.CpuTime;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

class YamlTest {
  private static Document document(String text) {
    return YamlReader.document(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(String text) {
    return document(text).value().toString();
  }

  private static String write(Json value) {
    return new String(YamlWriter.bytes(value), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "yes|true",
        "on|true",
        "y|true",
        "Off|false",
        "~|null",
        "null|null",
        "5|5",
        "-5|-5",
        "+5|5",
        "0x1F|31",
        "0b11|3",
        "017|15",
        "0o17|15",
        "08|8",
        "1_000|1000",
        "1.5|1.5",
        "1.0|1",
        "1e3|1000",
        ".5|0.5",
        "18446744073709551615|18446744073709551615",
        "2024-01-02|\"2024-01-02\"",
        "2024-01-02T03:04:05Z|\"2024-01-02T03:04:05Z\"",
        "'5'|\"5\"",
        "\"yes\"|\"yes\"",
        "yesterday|\"yesterday\"",
        "!!str 5|\"5\"",
        "12:30:45|\"12:30:45\"",
      })
  void readsPlainScalarsAsYaml11(String text, String json) {
    assertThat(read(text)).isEqualTo(json);
  }

  @Test
  void readsStructure() {
    assertThat(
            read(
                """
                apiVersion: v1
                metadata: {name: a, labels: {x: "1"}}
                list:
                - 1
                - a: b
                  c: |
                    two
                    lines
                empty:
                ---
                second: document
                """))
        .isEqualTo(
            "{\"apiVersion\":\"v1\",\"empty\":null,"
                + "\"list\":[1,{\"a\":\"b\",\"c\":\"two\\nlines\\n\"}],"
                + "\"metadata\":{\"labels\":{\"x\":\"1\"},\"name\":\"a\"}}");
    assertThat(read("")).isEqualTo("null");
    assertThat(read("# only a comment\n")).isEqualTo("null");
    assertThat(read("{\"a\": [1, true]}")).isEqualTo("{\"a\":[1,true]}");
  }

  @Test
  void keysThatAreNotTextsBecomeTexts() {
    assertThat(read("y: 1\n5: 2\n1.5: 3\n")).isEqualTo("{\"1.5\":3,\"5\":2,\"true\":1}");
  }

  @Test
  void followsAliasesAndMerges() {
    assertThat(read("base: &b {x: 1, y: z}\nother:\n  <<: *b\n  x: 2\nsame: *b\n"))
        .isEqualTo(
            "{\"base\":{\"true\":\"z\",\"x\":1},\"other\":{\"true\":\"z\",\"x\":2},"
                + "\"same\":{\"true\":\"z\",\"x\":1}}");
    assertThatThrownBy(() -> read("a: *nope")).hasMessage("yaml: unknown anchor 'nope' referenced");
    assertThatThrownBy(() -> read("a: &a [*a]"))
        .hasMessage("yaml: anchor 'a' value contains itself");
  }

  @Test
  void whatIsMergedCountsWhereItIsMerged() {
    assertThat(read("a: 1\n<<: {a: 2}\n")).isEqualTo("{\"a\":2}");
    assertThat(read("<<: [{a: 1}, {a: 2, b: 3}]\n")).isEqualTo("{\"a\":1,\"b\":3}");
  }

  @Test
  void repeatedKeysAreToldWithTheLineOfTheirValue() {
    assertThat(complaints("a: 1\na:\n  b: 2\n"))
        .containsExactly("yaml: unmarshal errors:\n  line 3: key \"a\" already set in map");
    assertThat(complaints("x: 1\n<<: {x: 2}\n"))
        .containsExactly("yaml: unmarshal errors:\n  line 2: key \"x\" already set in map");
    assertThat(complaints("1: a\n'1': b\n")).isEmpty();
  }

  private static List<String> complaints(String text) {
    return YamlReader.document(text.getBytes(StandardCharsets.UTF_8)).complaints();
  }

  @Test
  void reportsRepeatedKeysWithTheirLines() {
    var document = document("data:\n  k: one\n  k: two\n");
    assertThat(document.value()).hasToString("{\"data\":{\"k\":\"two\"}}");
    assertThat(document.complaints())
        .containsExactly("yaml: unmarshal errors:\n  line 3: key \"k\" already set in map");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a: b: c|yaml: mapping values are not allowed in this context",
        "'\tx'|yaml: found character that cannot start any token",
        "'a: [1, 2'|yaml: line 1: did not find expected ',' or ']'",
        "'a: 1\nb: c: d'|yaml: line 2: mapping values are not allowed in this context",
        "a: \"\\q\"|yaml: found unknown escape character",
        "a: *|yaml: did not find expected alphabetic or numeric character",
        "'{~: x}'|unsupported map key of type: %!s(<nil>), key: <nil>, value: \"x\"",
        "a: !!binary x|yaml: !!binary value contains invalid base64 data",
        "a: !!binary YQ|yaml: !!binary value contains invalid base64 data",
        "a: !!int x|yaml: cannot decode !!str `x` as a !!int",
        "a: !!int 1.5|yaml: cannot decode !!float `1.5` as a !!int",
        "'? [a, 1]\n: b'|yaml: invalid map key: []interface {}{\"a\", 1}",
      })
  void refusesInTheWordsOfLibyaml(String text, String message) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(DecodeException.class).hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"]", "{a", "a: &", "- - :\n -", "%", "\"", "@", "!<", "? :\n:", "[}", "*a"})
  void refusesBrokenTextsWithoutAFault(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(DecodeException.class);
  }

  @Test
  @Timeout(300)
  void bombsAreRefusedBeforeTheyGrow() {
    var laughs = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      laughs.append("a" + i + ": &a" + i + " [");
      laughs.append(("*a" + (i - 1) + ",").repeat(9)).append("]\n");
    }
    refuses(laughs.toString());
    for (var opening : new String[] {"[", "{a: ", "- ", "? "}) {
      CpuTime.assertAtMost(
          24, () -> refuses(opening.repeat(12_500)), () -> refuses(opening.repeat(100_000)));
    }
    assertThat(read("a: 1" + "0".repeat(100_000))).isNotNull();
  }

  private static void refuses(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(DecodeException.class);
  }

  @Test
  void writesInKubernetesStyle() {
    var object =
        JsonObject.of(
            "kind",
            "ConfigMap",
            "apiVersion",
            "v1",
            "metadata",
            JsonObject.of("creationTimestamp", "2024-01-02T03:04:05Z", "name", "a"),
            "list",
            JsonArray.of(Json.of("x"), JsonObject.of("b", 1, "a", true)),
            "none",
            JsonArray.EMPTY,
            "data",
            JsonObject.of(
                "a10", "1", "a2", "yes", "text", "two\nlines\n", "odd", ": x", "e", "", "u", "é"));
    assertThat(write(object))
        .isEqualTo(
            """
            apiVersion: v1
            data:
              a2: "yes"
              a10: "1"
              e: ""
              odd: ': x'
              text: |
                two
                lines
              u: é
            kind: ConfigMap
            list:
            - x
            - a: true
              b: 1
            metadata:
              creationTimestamp: "2024-01-02T03:04:05Z"
              name: a
            none: []
            """);
  }

  @Test
  void whatIsWrittenReadsBackEqual() {
    for (var text :
        new String[] {
          "",
          " ",
          "a: b",
          "- x",
          "#c",
          "1e5",
          "0x1",
          "null",
          "~",
          "y",
          "<<",
          "a\tb",
          "tail ",
          "\n",
          "a\n\nb",
          " lead\nx",
          "\u0001",
          "😀",
          "é",
          "'q'",
          "\"q\"",
          "1:30",
          "=",
          "!tag",
          "&a",
          "*a",
          "%",
          "@",
          "`",
          "|",
          ">",
          "{a",
          "[b",
          "a: ",
          "trail:",
          "2024-01-02",
          ".inf",
          "x\r\ny"
        }) {
      var object = JsonObject.of("key", text, "list", JsonArray.of(Json.of(text)));
      assertThat(YamlReader.read(YamlWriter.bytes(object))).as(text).isEqualTo(object);
    }
  }

  /** The parser's own reader, on which everything else depends, says the same of every text. */
  @Test
  void theTextIsReadAsTheParsersOwnReaderReadsIt() {
    var random = new Random(5);
    int[] characters = {
      'a', ' ', '\n', '\r', ':', '#', '\t', 0x85, 0x2028, 0x2029, 0xfeff, 0x1f600, 0xe9, '"'
    };
    for (int run = 0; run < 200; run++) {
      var text = new StringBuilder();
      for (int i = random.nextInt(4_000); i > 0; i--) {
        text.appendCodePoint(characters[random.nextInt(characters.length)]);
      }
      assertThat(walk(new YamlText(text.toString()), run))
          .isEqualTo(walk(new StreamReader(text.toString()), run));
      text.append((char) 1);
      assertThat(walk(new YamlText(text.toString()), run)).endsWith(" refused");
    }
  }

  private static String walk(StreamReader reader, long seed) {
    var random = new Random(seed);
    var seen = new StringBuilder();
    try {
      while (reader.peek() != 0) {
        int some = random.nextInt(60);
        switch (random.nextInt(4)) {
          case 0 -> seen.append(reader.peek(some));
          case 1 -> seen.append(reader.prefix(some));
          case 2 -> reader.forward(some);
          default -> {
            if (reader.peek(some) != 0) {
              seen.append(reader.prefixForward(some));
            }
          }
        }
        var mark = reader.getMark();
        seen.append(" %d:%d:%d ".formatted(mark.getIndex(), mark.getLine(), mark.getColumn()));
        if (random.nextInt(50) == 0) {
          reader.resetDocumentIndex();
        }
        seen.append(reader.getDocumentIndex());
      }
    } catch (ReaderException e) {
      seen.append(" refused");
    }
    return seen.toString();
  }

  @Test
  void aComplaintIsNotAsLongAsTheText() {
    assertThatThrownBy(() -> document("%YAML 1." + "1".repeat(100_000) + "\n--- x"))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(2_000));
  }
}
