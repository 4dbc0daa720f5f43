package dev.muster.validation.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.types.scheduling.CpuTask;
import dev.muster.types.scheduling.FairScheduler;
import dev.muster.types.scheduling.WaitListener;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleEvaluationTest {
  private final List<String> warnings = new ArrayList<>();

  private static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A schema of an object with a spec, whose rules and properties are given. */
  private static JsonObject schema(String rules, String properties) {
    return json(
        """
        {"type":"object","properties":{"spec":{"type":"object",
          "x-kubernetes-validations":[%s],"properties":{%s}}}}
        """
            .formatted(rules, properties));
  }

  private static JsonObject object(String spec) {
    return json(
        """
        {"apiVersion":"a.b/v1","kind":"K","metadata":{"name":"n"},"spec":%s}\
        """
            .formatted(spec));
  }

  private List<String> check(JsonObject schema, @Nullable JsonObject old, JsonObject object) {
    var rules = Objects.requireNonNull(SchemaRuleTree.of(schema));
    return RuleEvaluation.check(object, old, rules, warnings::add).stream()
        .map(error -> error.path() + ": " + error.body())
        .toList();
  }

  private List<String> create(String rule, String properties, String spec) {
    return check(schema("{\"rule\":\"" + rule + "\"}", properties), null, object(spec));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " => ",
      quoteCharacter = '`',
      textBlock =
          """
          self.a < self.b => "a":{"type":"integer"},"b":{"type":"integer"} => {"a":1,"b":2}
          !has(self.a) => "a":{"type":"string"} => {}
          self.a__dash__b == 'x' => "a-b":{"type":"string"} => {"a-b":"x"}
          self.__in__ == 1 => "in":{"type":"integer"} => {"in":1}
          self.t > timestamp('2020-01-01T00:00:00Z') => "t":{"type":"string","format":"date-time"} => {"t":"2021-01-01T00:00:00Z"}
          self.d == duration('60s') => "d":{"type":"string","format":"duration"} => {"d":"1m"}
          self.p == 5 || self.p == '50%' => "p":{"x-kubernetes-int-or-string":true} => {"p":"50%"}
          self.l.all(i, i.size() < 3) => "l":{"type":"array","items":{"type":"string"}} => {"l":["a","bb"]}
          self.m['k'] == 'v' => "m":{"type":"object","additionalProperties":{"type":"string"}} => {"m":{"k":"v"}}
          self.s == ['b', 'a'] || self.s == self.r => "s":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},"r":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}} => {"s":["a","b"],"r":["b","a"]}
          self.s == ['b', 'a'] && (self.s + ['b']) == ['b', 'a'] && (self.s + ['c']).size() == 3 => "s":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}} => {"s":["a","b"]}
          self.n == 2.0 => "n":{"type":"number"} => {"n":2}
          self.e.kind == 'Pod' && self.e.metadata.name == 'x' => "e":{"type":"object","x-kubernetes-embedded-resource":true} => {"e":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}}
          """)
  void holds(String rule, String properties, String spec) {
    assertThat(create(rule, properties, spec)).isEmpty();
  }

  @Test
  void saysWhichRuleDoesNotHold() {
    var number = "\"a\":{\"type\":\"integer\"}";
    assertThat(create("self.a > 1", number, "{\"a\":1}"))
        .containsExactly("spec: Invalid value: failed rule: self.a > 1");
    assertThat(create("self.a > 1", number, "{}"))
        .containsExactly(
            "spec: Invalid value: \"object\": no such key: a evaluating rule: self.a > 1");
    var onField =
        json(
            """
            {"type":"object","properties":{"spec":{"type":"object","properties":{"a":{
              "type":"integer","x-kubernetes-validations":[{"rule":"self > 1","message":"too small"}]
            }}}}}\
            """);
    assertThat(check(onField, null, object("{\"a\":1}")))
        .containsExactly("spec.a: Invalid value: 1: too small");
  }

  @Test
  void whatTheSchemaDoesNotKnowIsNotTakenForTheSameAsALiteral() {
    var free = "\"a\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true}";
    assertThat(create("dyn(self.a) == {'y': 1}", free, "{\"a\":{\"x\":1}}"))
        .singleElement()
        .asString()
        .contains("no such overload");
    assertThat(create("dyn(self.a) != {'y': 1}", free, "{\"a\":{\"x\":1}}")).isEmpty();
    var kept = schema("{\"rule\":\"self.a == oldSelf.a\"}", free);
    var old = object("{\"a\":{\"x\":1}}");
    assertThat(check(kept, old, object("{\"a\":{\"x\":1}}"))).isEmpty();
    assertThat(check(kept, old, object("{\"a\":{\"x\":2}}"))).hasSize(1);
  }

  @Test
  void aMessageWhoseConstantsCannotBeHadIsLeftOut() {
    var schema =
        schema(
            "{\"rule\":\"self.a > 1\",\"messageExpression\":\"string(int('x'))\"}",
            "\"a\":{\"type\":\"integer\"}");
    assertThat(check(schema, null, object("{\"a\":1}")))
        .containsExactly("spec: Invalid value: failed rule: self.a > 1");
  }

  @Test
  void takesMessageReasonAndPathFromTheRule() {
    var number = "\"a\":{\"type\":\"integer\"}";
    var schema =
        schema(
            """
            {"rule":"self.a > 1","messageExpression":"'a is ' + string(self.a)","reason":"FieldValueForbidden","fieldPath":".a"},
            {"rule":"self.a > 2","messageExpression":"'x'.substring(9)","message":"plain","reason":"FieldValueRequired"}
            """,
            number);
    assertThat(check(schema, null, object("{\"a\":1}")))
        .containsExactly("spec.a: Forbidden: a is 1", "spec: Required value: plain");
  }

  @Test
  void comparesWithWhatWasThere() {
    var schema = schema("{\"rule\":\"self.a >= oldSelf.a\"}", "\"a\":{\"type\":\"integer\"}");
    assertThat(check(schema, null, object("{\"a\":1}"))).isEmpty();
    assertThat(check(schema, object("{\"a\":1}"), object("{\"a\":2}"))).isEmpty();
    assertThat(check(schema, object("{\"a\":3}"), object("{\"a\":2}")))
        .containsExactly("spec: Invalid value: failed rule: self.a >= oldSelf.a");
    var optional =
        schema(
            "{\"rule\":\"oldSelf.hasValue() || self.a == 1\",\"optionalOldSelf\":true}",
            "\"a\":{\"type\":\"integer\"}");
    assertThat(check(optional, null, object("{\"a\":2}"))).hasSize(1);
    assertThat(check(optional, object("{\"a\":1}"), object("{\"a\":2}"))).isEmpty();
  }

  @Test
  void findsItemsAgainByTheirKeys() {
    var schema =
        schema(
            "",
            """
            "l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
              "items":{"type":"object","properties":{"k":{"type":"string"},"v":{"type":"integer"}},
                "x-kubernetes-validations":[{"rule":"self.v >= oldSelf.v"}]}}
            """);
    var old = object("{\"l\":[{\"k\":\"a\",\"v\":1},{\"k\":\"b\",\"v\":5}]}");
    assertThat(check(schema, old, object("{\"l\":[{\"k\":\"b\",\"v\":5},{\"k\":\"a\",\"v\":0}]}")))
        .containsExactly("spec.l[1]: Invalid value: failed rule: self.v >= oldSelf.v");
    assertThat(check(schema, old, object("{\"l\":[{\"k\":\"new\",\"v\":0}]}"))).isEmpty();
  }

  @Test
  void onlyWarnsWhereNothingWasChanged() {
    var schema =
        json(
            """
            {"type":"object","properties":{"spec":{"type":"object","properties":{
              "a":{"type":"integer","x-kubernetes-validations":[{"rule":"self > 1"}]},
              "b":{"type":"integer"}}}}}\
            """);
    var old = object("{\"a\":1,\"b\":1}");
    assertThat(check(schema, old, object("{\"a\":1,\"b\":2}"))).isEmpty();
    assertThat(warnings).containsExactly("spec.a: Invalid value: 1: failed rule: self > 1");
    assertThat(check(schema, old, object("{\"a\":0,\"b\":1}"))).hasSize(1);
  }

  @Test
  void stopsWhenAllRulesTogetherCostTooMuch() {
    var schema =
        schema(
            "",
            """
            "l":{"type":"array","items":{"type":"string","x-kubernetes-validations":[
              {"rule":"self.matches('^(a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r|s|t|u|v|w|x|y|z)*$')"}]}}
            """);
    var text = "\"" + "a".repeat(10_000) + "\"";
    var many = String.join(",", Collections.nCopies(1_000, text));
    var errors = check(schema, null, object("{\"l\":[" + many + "]}"));
    assertThat(errors).hasSize(1);
    assertThat(errors.getFirst())
        .endsWith(
            "validation failed due to running out of cost budget, no further validation rules will"
                + " be run");
  }

  @Test
  void aSchemaWithoutRulesNeedsNoEvaluation() {
    assertThat(SchemaRuleTree.of(schema("", "\"a\":{\"type\":\"integer\"}"))).isNull();
  }

  @Test
  void asksBetweenRulesWhetherItMayGoOn() {
    var time = new AtomicLong();
    var schema = schema("{\"rule\":\"true\"},{\"rule\":\"true\"}", "\"a\":{\"type\":\"integer\"}");
    var asked = new AtomicLong();
    try (var scheduler = new FairScheduler(1, () -> time.addAndGet(1_000_000_000))) {
      scheduler.run(
          "user",
          () -> {
            try (var _ = CpuTask.limited(asked::incrementAndGet)) {
              check(schema, null, object("{}"));
            }
          },
          WaitListener.NONE);
    }
    assertThat(asked.get()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void aRuleThatCannotBeCompiledHoldsForNoObject() {
    assertThat(create("self.nothing == 1", "\"a\":{\"type\":\"integer\"}", "{}"))
        .singleElement()
        .asString()
        .startsWith(
            "spec: Invalid value: \"object\": rule compile error: compilation failed: ERROR: ");
  }

  @Test
  void rulesOfItemsOfWhatIsNoArrayHoldForNothing() {
    var schema =
        schema(
            "",
            """
            "l":{"type":"object","items":{"type":"object",
              "x-kubernetes-validations":[{"rule":"true"}]}}
            """);

    assertThat(check(schema, null, object("{\"l\":[{}]}")))
        .containsExactly(
            "spec.l[0]: Invalid value: \"object\": rule compiler initialization error: failed to"
                + " convert to declType for CEL validation rules");
  }
}
