package dev.muster.model.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {
  private static final JsonObject LABELS =
      JsonObject.of("color", "red", "size", "7", "empty", "", "shop.example/kind", "fruit");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          color=red                      | true
          color==red                     | true
          color=blue                     | false
          color!=blue                    | true
          absent!=blue                   | true
          color in (blue, red)           | true
          color in (blue)                | false
          color notin (blue)             | true
          absent notin (blue)            | true
          color                          | true
          !color                         | false
          ! absent                       | true
          empty=                         | true
          empty in ()                    | true
          color=                         | false
          size>6                         | true
          size>7                         | false
          size<8                         | true
          color>1                        | false
          absent<1                       | false
          shop.example/kind=fruit,color  | true
          color=red,size=8               | false
          color in (,red)                | true
          in=x                           | false
          notin in (in)                  | false
          """)
  void choosesByLabels(String text, boolean chosen) {
    var selector = LabelSelector.parse(text);
    assertThat(selector.matches(LABELS)).isEqualTo(chosen);
    assertThat(selector.matches(LABELS.strings())).isEqualTo(chosen);
  }

  @Test
  void printsRequirementsOrderedByKeyAndValuesSorted() {
    assertThat(LabelSelector.parse(" z , b notin (y,x),a==1 , !c,n>4,m<3"))
        .hasToString("a==1,b notin (x,y),!c,m<3,n>4,z");
    assertThat(LabelSelector.parse("a in (,x,)")).hasToString("a in (,x)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          color red       | unable to parse requirement: found 'red', expected: in, notin, =, ==, !=, gt, lt
          color in red    | unable to parse requirement: found 'red' expected: '('
          color in (red   | unable to parse requirement: found '', expected: ',' or ')'
          color in (red b | unable to parse requirement: found 'b', expected: ',' or ')'
          color in (=     | unable to parse requirement: found '=', expected: ',', ')' or identifier
          color in (a,=   | unable to parse requirement: found '=', expected: ',', or identifier
          color,          | found '', expected: identifier after ','
          color,,         | found ',', expected: identifier after ','
          ,color          | found ',', expected: !, identifier, or 'end of string'
          color=a b       | found 'b', expected: ',' or 'end of string'
          !color=a        | found '=', expected: ',' or 'end of string'
          !               | unable to parse requirement: found '', expected: identifier
          color==>        | unable to parse requirement: found '>', expected: identifier
          size>big        | unable to parse requirement: values[0]: Invalid value: "big": for 'Gt', 'Lt' operators, the value must be an integer
          /a=b            | unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty
          """)
  void refusesInKubernetesWords(String text, String message) {
    assertThatThrownBy(() -> LabelSelector.parse(text)).hasMessage(message);
  }

  @Test
  void namesTheLabelOfAnInvalidValue() {
    assertThatThrownBy(() -> LabelSelector.parse("color=*"))
        .hasMessageStartingWith(
            "unable to parse requirement: values[0][color]: Invalid value: \"*\": a valid label"
                + " must be an empty string or consist of");
  }

  @Test
  void readsTheObjectForm() {
    var selector =
        LabelSelector.ofObject(
            JsonObject.of(
                "matchLabels",
                JsonObject.of("color", "red"),
                "matchExpressions",
                JsonArray.of(
                    JsonObject.of(
                        "key",
                        "size",
                        "operator",
                        "NotIn",
                        "values",
                        JsonArray.ofStrings(List.of("8", "9"))),
                    JsonObject.of("key", "absent", "operator", "DoesNotExist"))));
    assertThat(selector).hasToString("!absent,color=red,size notin (8,9)");
    assertThat(selector.matches(LABELS)).isTrue();
    assertThat(selector.matches(Map.of("color", "red", "size", "8"))).isFalse();
  }

  @Test
  void anAbsentObjectFormChoosesNothingAndAnEmptyOneEverything() {
    assertThat(LabelSelector.ofObject(null).matches(LABELS)).isFalse();
    assertThat(LabelSelector.ofObject(JsonObject.EMPTY).matches(LABELS)).isTrue();
  }

  @Test
  void refusesUnknownOperatorsOfTheObjectForm() {
    var selector =
        JsonObject.of(
            "matchExpressions", JsonArray.of(JsonObject.of("key", "a", "operator", "Like")));
    assertThatThrownBy(() -> LabelSelector.ofObject(selector))
        .hasMessage("\"Like\" is not a valid label selector operator");
  }

  @Test
  void tellsTheExactValueThatAnIndexCanUse() {
    assertThat(LabelSelector.parse("a=1,b in (2),c in (3,4),d").exactValue("a")).isEqualTo("1");
    assertThat(LabelSelector.parse("a=1,b in (2),c in (3,4),d").exactValue("b")).isEqualTo("2");
    assertThat(LabelSelector.parse("a=1,b in (2),c in (3,4),d").exactValue("c")).isNull();
    assertThat(LabelSelector.parse("a=1,b in (2),c in (3,4),d").exactValue("d")).isNull();
  }

  /** Counts how often somebody looks for a label. */
  private static final class CountingLabels extends HashMap<String, String> {
    private int looks;

    CountingLabels(Map<String, String> labels) {
      super(labels);
    }

    @Override
    public @Nullable String get(Object key) {
      looks++;
      return super.get(key);
    }
  }

  @Test
  void aLongSelectorLooksAtEachLabelOnce() {
    var text = new StringBuilder("color in (");
    for (int i = 0; i < 50_000; i++) {
      text.append("v").append(i).append(',');
    }
    text.append("red)");
    for (int i = 0; i < 50_000; i++) {
      text.append(",!absent").append(i);
    }
    var selector = LabelSelector.parse(text.toString());
    var labels = new CountingLabels(Map.of("color", "red", "size", "7"));
    assertThat(selector.matches(labels)).isTrue();
    assertThat(labels.looks).isZero();
    assertThat(selector.matches(Map.of("color", "blue"))).isFalse();
    assertThat(selector.matches(Map.of("color", "red", "absent7", ""))).isFalse();
    assertThat(selector.matches(Map.of())).isFalse();
  }

  /** Many requirements together choose what each of them chooses. */
  @Test
  void manyRequirementsAreAllMet() {
    var random = new Random(3);
    var parts =
        List.of(
            "a=1",
            "a==2",
            "a!=1",
            "a in (1,2,3)",
            "a notin (2)",
            "a",
            "!a",
            "a>1",
            "a<3",
            "b=1",
            "b!=2",
            "b in (1,2)",
            "!b",
            "b",
            "c notin (1,2)",
            "!c",
            "c>0");
    for (int run = 0; run < 3_000; run++) {
      var chosen = new ArrayList<String>();
      for (int i = 0; i < 9 + random.nextInt(3); i++) {
        chosen.add(parts.get(random.nextInt(parts.size())));
      }
      var labels = new HashMap<String, String>();
      for (var key : List.of("a", "b", "c")) {
        if (random.nextBoolean()) {
          labels.put(key, Integer.toString(random.nextInt(4)));
        }
      }
      boolean expected =
          chosen.stream().allMatch(part -> LabelSelector.parse(part).matches(labels));
      assertThat(LabelSelector.parse(String.join(",", chosen)).matches(labels))
          .as("%s of %s", labels, chosen)
          .isEqualTo(expected);
    }
  }
}
