package dev.muster.patch.ownership.fields;

import static dev.muster.patch.edit.Tree.json;
import static dev.muster.patch.edit.Tree.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldSetTest {

  private static FieldSet set(String text) {
    return FieldSet.parse(json(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'f:a':{}}                   | {'f:b':{}}                   | {'f:a':{},'f:b':{}}
          {'f:a':{}}                   | {'f:a':{'f:b':{}}}           | {'f:a':{'.':{},'f:b':{}}}
          {'f:a':{'f:c':{}}}           | {'f:a':{'f:b':{}}}           | {'f:a':{'f:b':{},'f:c':{}}}
          {'f:a':{'.':{},'f:c':{}}}    | {'f:a':{'f:b':{}},'f:x':{}}  | {'f:a':{'.':{},'f:b':{},'f:c':{}},'f:x':{}}
          {}                           | {'f:a':{}}                   | {'f:a':{}}
          """)
  void unites(String left, String right, String both) {
    assertThat(set(left).plus(set(right)).toJson()).hasToString(object(both).toString());
    assertThat(set(right).plus(set(left)).toJson()).hasToString(object(both).toString());
    assertThat(set(both).plus(set(left))).isEqualTo(set(both));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'f:a':{},'f:b':{}}                 | {'f:a':{}}                | {'f:b':{}}             | {'f:b':{}}                | {'f:a':{}}
          {'f:a':{'.':{},'f:b':{}}}           | {'f:a':{}}                | {'f:a':{'f:b':{}}}     | {}                        | {'f:a':{}}
          {'f:a':{'.':{},'f:b':{}}}           | {'f:a':{'f:b':{}}}        | {'f:a':{}}             | {'f:a':{}}                | {'f:a':{'f:b':{}}}
          {'f:a':{'f:b':{},'f:c':{}}}         | {'f:a':{'f:b':{}}}        | {'f:a':{'f:c':{}}}     | {'f:a':{'f:c':{}}}        | {'f:a':{'f:b':{}}}
          {'f:a':{'f:b':{}}}                  | {'f:a':{'f:b':{'f:x':{}}}}| {'f:a':{'f:b':{}}}     | {'f:a':{'f:b':{}}}        | {}
          {'f:a':{'f:b':{}}}                  | {'f:z':{}}                | {'f:a':{'f:b':{}}}     | {'f:a':{'f:b':{}}}        | {}
          {'f:a':{'f:b':{}}}                  | {'f:a':{'f:b':{}}}        | {}                     | {}                        | {}
          """)
  void subtracts(String from, String what, String rest, String deepRest, String ignoredBoth) {
    assertThat(set(from).minus(set(what))).isEqualTo(set(rest));
    assertThat(set(from).minusWithChildren(set(what))).isEqualTo(set(deepRest));
  }

  @Test
  void intersects() {
    var left = set("{'f:a':{'.':{},'f:b':{},'f:c':{}},'f:d':{}}");
    assertThat(left.and(set("{'f:a':{'f:c':{},'f:x':{}},'f:d':{'f:e':{}}}")))
        .isEqualTo(set("{'f:a':{'f:c':{}}}"));
    assertThat(left.and(set("{'f:a':{},'f:d':{}}"))).isEqualTo(set("{'f:a':{},'f:d':{}}"));
    assertThat(left.and(FieldSet.EMPTY).isEmpty()).isTrue();
  }

  @Test
  void aValueTakesAlongWhatUsedToBeFieldsOfIt() {
    var set = set("{'f:a':{'f:b':{},'f:c':{}},'f:d':{}}");
    assertThat(set.minusValues(FieldSet.of("a"))).isEqualTo(set("{'f:d':{}}"));
    assertThat(set.minusValues(FieldSet.of("a.b"))).isEqualTo(set("{'f:a':{'f:c':{}},'f:d':{}}"));
    assertThat(set.andValues(FieldSet.of("a", "x"))).isEqualTo(set("{'f:a':{}}"));
    assertThat(set.andValues(FieldSet.of("a.b", "d.x"))).isEqualTo(set("{'f:a':{'f:b':{}}}"));
  }

  @Test
  void keepsTheInstanceWhenNothingChanges() {
    var set = set("{'f:a':{'.':{},'f:b':{}},'f:d':{}}");
    assertThat(set.minus(FieldSet.of("x.y", "a.z"))).isSameAs(set);
    assertThat(set.plus(FieldSet.of("a.b", "d"))).isSameAs(set);
    assertThat(set.minusWithChildren(FieldSet.of("a.b.c"))).isSameAs(set);
  }

  @Test
  void writesCanonicalFormWhateverItReads() {
    assertThat(
            set(
                """
                {'v:2':{},'f:b':{},'i:3':{},'k:{\\\"z\\\":1, \\\"a\\\":\\\"<x>\\\"}':{'f:y':null,'.':{}},
                 'f:a':{'.':{}},'v:10':{},'i:20':{},'x:unknown':{},'v:\\\"t\\\"':{}}
                """))
        .hasToString(
            object(
                    """
                    {'f:a':{},'f:b':{},'k:{\\\"a\\\":\\\"\\\\u003cx\\\\u003e\\\",\\\"z\\\":1}':{'.':{},'f:y':{}},
                     'v:2':{},'v:10':{},'v:\\\"t\\\"':{},'i:3':{},'i:20':{}}
                    """)
                .toString());
  }

  @ParameterizedTest
  @CsvSource({
    "{'a':{}}",
    "{'fx':{}}",
    "{'i:x':{}}",
    "{'k:[]':{}}",
    "{'v:x':{}}",
    "{'f:a':1}",
    "[]"
  })
  void refusesWhatIsNoFieldSet(String text) {
    assertThatThrownBy(() -> set(text)).isInstanceOf(MalformedFieldsException.class);
  }

  @Test
  void listsPathsAsConflictsDo() {
    assertThat(
            set("""
            {'f:spec':{'f:list':{'k:{\\\"name\\\":\\\"a\\\"}':{'.':{},'f:x':{}},'k:{\\\"port\\\":80,\\\"protocol\\\":\\\"TCP\\\"}':{}},
             'f:set':{'v:\\\"q\\\\\\\"\\\"':{}},'f:z':{}}}
            """)
                .paths())
        .containsExactly(
            ".spec.z",
            ".spec.list[name=\"a\"]",
            ".spec.list[port=80,protocol=\"TCP\"]",
            ".spec.list[name=\"a\"].x",
            ".spec.set[=\"q\\\"\"]");
  }

  @Test
  void ordersElementsByKindAndValue() {
    var sorted =
        new ArrayList<>(
            List.of(
                "f:",
                "f:a",
                "f:ab",
                "f:\uffee",
                "f:\ud83d\ude00",
                "k:{\"a\":1}",
                "k:{\"a\":2}",
                "k:{\"a\":10}",
                "k:{\"a\":10,\"b\":1}",
                "k:{\"a\":\"\"}",
                "k:{\"a\":\"x\"}",
                "k:{\"a\":\"x !\"}",
                "k:{\"a\":\"x\\\"y\"}",
                "k:{\"a\":\"xy\"}",
                "k:{\"a\":true}",
                "k:{\"b\":\"a\",\"c\":80}",
                "k:{\"b\":\"a\",\"c\":443}",
                "k:{\"b\":\"b\",\"c\":1}",
                "v:-3",
                "v:2",
                "v:2.5",
                "v:10",
                "v:\"a\"",
                "v:false",
                "v:true",
                "i:2",
                "i:10"));
    var shuffled = new ArrayList<>(sorted);
    for (int seed = 0; seed < 50; seed++) {
      Collections.shuffle(shuffled, new Random(seed));
      shuffled.sort(ElementOrder::compare);
      assertThat(shuffled).isEqualTo(sorted);
    }
  }

  @Test
  void setAlgebraHoldsOnRandomSets() {
    var random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      var a = random(random, 3);
      var b = random(random, 3);
      var union = a.plus(b);
      assertThat(new HashSet<>(union.paths())).isEqualTo(joined(a.paths(), b.paths()));
      var difference = new ArrayList<>(a.paths());
      difference.removeAll(b.paths());
      assertThat(a.minus(b).paths()).isEqualTo(difference);
      var common = new ArrayList<>(a.paths());
      common.retainAll(b.paths());
      assertThat(a.and(b).paths()).isEqualTo(common);
      assertThat(FieldSet.parse(union.toJson()).toJson()).hasToString(union.toString());
    }
  }

  private static Set<String> joined(List<String> left, List<String> right) {
    var all = new HashSet<>(left);
    all.addAll(right);
    return all;
  }

  private static FieldSet random(Random random, int depth) {
    var set = FieldSet.EMPTY;
    for (int i = random.nextInt(5); i > 0; i--) {
      var path = new StringBuilder("abcd".substring(random.nextInt(4)).substring(0, 1));
      for (int j = random.nextInt(depth); j > 0; j--) {
        path.append('.').append("abcd".charAt(random.nextInt(4)));
      }
      set = set.plus(FieldSet.of(path.toString()));
    }
    return set;
  }
}
