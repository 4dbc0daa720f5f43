package dev.muster.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldPath;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaValidationTest {
  private static Json json(String text) {
    return JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> check(String schema, String value) {
    return SchemaValidation.create(
            json(value), StructuralSchema.of((JsonObject) json(schema)), FieldPath.of("d"))
        .stream()
        .map(error -> error.path() + ": " + error.body())
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'string'}                                    | 'a'
          {'type':'string','nullable':true}                    | null
          {'type':'number'}                                    | 1
          {'type':'integer'}                                   | 1.0
          {'x-kubernetes-int-or-string':true}                  | '5%'
          {'type':'string','format':'ipv6'}                    | '::1'
          {'type':'string','format':'date-time'}               | '2020-01-01T00:00:00Z'
          {'type':'string','format':'who-knows'}               | 'x'
          {'type':'integer','minimum':1,'maximum':2}           | 2
          {'type':'string','enum':['a']}                       | 'a'
          {'type':'object','additionalProperties':{'type':'integer'}} | {'a':1}
          {'type':'object','oneOf':[{'required':['a']},{'required':['b']}]} | {'a':1}
          {'type':'integer','multipleOf':3}                    | 9
          """)
  void takesWhatFits(String schema, String value) {
    assertThat(check(schema, value)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'string'} | 5 | d: Invalid value: "integer":  in body must be of type string: "integer"
          {'type':'string'} | null | d: Invalid value: "null":  in body must be of type string: "null"
          {'type':'integer','format':'int64'} | true | d: Invalid value: "":  in body must be of type int64: ""
          {'type':'boolean','format':'x'} | 1 | d: Invalid value: "int64":  in body must be of type x: "int64"
          {'type':'number','format':'float'} | 1e39 | `d: Invalid value: "": Checked value must be of type number with format float in `
          {'x-kubernetes-int-or-string':true} | [] | d: Invalid value: "array":  in body must be of type integer,string: "array"
          {'type':'string','maxLength':1} | 'ab' | d: Too long: may not be more than 1 byte
          {'type':'string','minLength':1} | '' | d: Invalid value: "":  in body should be at least 1 chars long
          {'type':'string','pattern':'^a$'} | 'b' | d: Invalid value: "b":  in body should match '^a$'
          {'type':'string','format':'ipv4'} | 'b' | d: Invalid value: "b":  in body must be of type ipv4: "b"
          {'type':'string','enum':['a','b']} | 'c' | d: Unsupported value: "c": supported values: "a", "b"
          {'type':'integer','maximum':2} | 3 | d: Invalid value: 3:  in body should be less than or equal to 2
          {'type':'integer','maximum':2,'exclusiveMaximum':true} | 2 | d: Invalid value: 2:  in body should be less than 2
          {'type':'number','minimum':0.5} | 0.25 | d: Invalid value: 0.25:  in body should be greater than or equal to 0.5
          {'type':'integer','multipleOf':3} | 10 | d: Invalid value: 10:  in body should be a multiple of 3
          {'type':'array','maxItems':1} | [1,2] | d: Too many: 2: must have at most 1 item
          {'type':'array','minItems':1} | [] | d: Invalid value: 0:  in body should have at least 1 items
          {'type':'array','items':{'type':'string'}} | ['a',1] | d.[1]: Invalid value: "integer": [1] in body must be of type string: "integer"
          {'type':'object','required':['a']} | {} | d.a: Required value
          {'type':'object','maxProperties':1} | {'a':1,'b':2} | d: Too many: 2: must have at most 1 item
          {'type':'object','minProperties':1} | {} | d: Invalid value: 0:  in body should have at least 1 properties
          {'properties':{'a':{'properties':{'b':{'type':'string'}}}}} | {'a':{'b':1}} | d.a.b: Invalid value: "integer": a.b in body must be of type string: "integer"
          {'additionalProperties':{'type':'string'}} | {'k':1} | d.k: Invalid value: "integer": .k in body must be of type string: "integer"
          {'not':{'required':['a']}} | {'a':1} | d: Invalid value: "": "" must not validate the schema (not)
          """)
  void saysWhatDoesNot(String schema, String value, String problem) {
    assertThat(check(schema, value)).containsExactly(problem);
  }

  /** A number beyond what an integer can be is told twice, as kube-apiserver does. */
  @ParameterizedTest
  @ValueSource(strings = {"1.5", "9223372036854775808"})
  void whatIsNoIntegerIsOutOfItsRangeAsWell(String number) {
    assertThat(check("{'type':'integer'}", number))
        .containsExactly(
            "d: Invalid value: \"number\":  in body must be of type integer: \"number\"",
            "d: Invalid value: \"\": Checked value must be of type integer (default format) in ");
  }

  @Test
  void theClosestAlternativeIsNamed() {
    assertThat(check("{'anyOf':[{'required':['a']},{'required':['b'],'minProperties':1}]}", "{}"))
        .contains("d: Invalid value: \"\": \"\" must validate at least one schema (anyOf)")
        .hasSizeGreaterThan(1);
    assertThat(check("{'oneOf':[{'required':['a']},{'required':['b']}]}", "{'a':1,'b':1}"))
        .containsExactly(
            "d: Invalid value: \"\": \"\" must validate one and only one schema (oneOf). Found 2"
                + " valid alternatives");
    assertThat(check("{'allOf':[{'required':['a']}]}", "{}"))
        .containsExactly(
            "d.a: Required value",
            "d: Invalid value: \"\": \"\" must validate all the schemas (allOf). None validated");
  }

  @Test
  void unknownFieldsAreFoundWhereNothingKeepsThem() {
    var schema =
        StructuralSchema.of(
            (JsonObject)
                json(
                    "{'properties':{'a':{'type':'object','properties':{'x':{}}},'l':{'items':"
                        + "{'properties':{'y':{}}}},'m':{'additionalProperties':{'properties':{}}},"
                        + "'k':{'x-kubernetes-preserve-unknown-fields':true}}}"));
    assertThat(Pruning.hasUnknown(json("{'a':{'x':1},'l':[{'y':1}],'k':{'z':1}}"), schema, false))
        .isFalse();
    for (var value :
        List.of("{'b':1}", "{'a':{'y':1}}", "{'l':[{'z':1}]}", "{'m':{'k':{'z':1}}}")) {
      assertThat(Pruning.hasUnknown(json(value), schema, false)).as(value).isTrue();
    }
    assertThat(Pruning.hasUnknown(json("{'kind':'x'}"), schema, true)).isFalse();
    assertThat(Pruning.hasUnknown(json("{'kind':'x'}"), schema, false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{'bad':1}|true", "{'bad':1,'unknown':2}|false"})
  void onlyWhatASchemaKnowsCountsAsUnchanged(String value, boolean accepted) {
    var schema =
        StructuralSchema.of(
            (JsonObject)
                json(
                    "{'type':'object','maxProperties':0,'properties':{'bad':{'type':'integer'}}}"));
    var now = json(value);

    var found =
        SchemaValidation.update(Correlation.of(now, now, schema), now, schema, FieldPath.of("d"));

    assertThat(found.isEmpty()).isEqualTo(accepted);
  }
}
