package dev.muster.schema.structural;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuralSchemaTest {
  private static Json json(String text) {
    return JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static StructuralSchema schema(String text) {
    return StructuralSchema.of((JsonObject) json(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'properties':{'a':{}}} | {'a':1,'b':2} | {'a':1} | b
          {'properties':{'a':{'properties':{}}}} | {'a':{'x':1,'y':2}} | {'a':{}} | a.x a.y
          {'x-kubernetes-preserve-unknown-fields':true,'properties':{'a':{'properties':{}}}} | {'a':{'x':1},'b':{'y':1}} | {'a':{},'b':{'y':1}} | a.x
          {'additionalProperties':{'properties':{'k':{}}}} | {'m':{'k':1,'l':2}} | {'m':{'k':1}} | m.l
          {'properties':{'l':{'items':{'properties':{'k':{}}}}}} | {'l':[{'k':1},{'z':2}]} | {'l':[{'k':1},{}]} | l[1].z
          {'properties':{'l':{'x-kubernetes-preserve-unknown-fields':true,'items':{'properties':{}}}}} | {'l':[{'z':2}]} | {'l':[{'z':2}]} | ``
          {'properties':{'e':{'x-kubernetes-embedded-resource':true}}} | {'e':{'kind':'K','metadata':{'name':'n'},'spec':1}} | {'e':{'kind':'K','metadata':{'name':'n'}}} | e.spec
          """)
  void takesAwayWhatItDoesNotKnow(String schema, String value, String left, String unknown) {
    var paths = new ArrayList<String>();
    assertThat(Pruning.prune(json(value), schema(schema), false, paths::add)).isEqualTo(json(left));
    assertThat(String.join(" ", paths)).isEqualTo(unknown == null ? "" : unknown);
  }

  @Test
  void keepsTheMetadataOfAnObjectAndTheInstanceWhenNothingIsUnknown() {
    var object = json("{'apiVersion':'v1','kind':'K','metadata':{'name':'n'},'spec':{'a':1}}");
    var schema = schema("{'properties':{'spec':{'properties':{'a':{}}}}}");
    assertThat(Pruning.prune(object, schema, true, path -> {})).isSameAs(object);
    assertThat(Pruning.hasUnknown(object, schema, false)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'properties':{'a':{'default':1}}} | {} | {'a':1}
          {'properties':{'a':{'default':1}}} | {'a':2} | {'a':2}
          {'properties':{'a':{'default':1}}} | {'a':null} | {'a':1}
          {'properties':{'a':{'default':1,'nullable':true}}} | {'a':null} | {'a':null}
          {'properties':{'a':{'default':{},'properties':{'b':{'default':'x'}}}}} | {} | {'a':{'b':'x'}}
          {'properties':{'a':{'properties':{'b':{'default':'x'}}}}} | {} | {}
          {'properties':{'l':{'items':{'properties':{'b':{'default':true}}}}}} | {'l':[{},{'b':false}]} | {'l':[{'b':true},{'b':false}]}
          {'additionalProperties':{'default':7}} | {'a':null,'b':1} | {'a':7,'b':1}
          {'items':{'default':'d'}} | [null,'x'] | ['d','x']
          """)
  void fillsInWhatIsLeftOut(String schema, String value, String expected) {
    var filled = Defaulting.fill(json(value), schema(schema));
    assertThat(filled).isEqualTo(json(expected));
    assertThat(Defaulting.fill(filled, schema(schema))).isSameAs(filled);
  }

  @Test
  void dropsNullsThatAreNeitherAllowedNorFilledIn() {
    var schema =
        schema("{'properties':{'a':{},'b':{'nullable':true},'c':{'default':1},'d':{'items':{}}}}");
    assertThat(Defaulting.dropNulls(json("{'a':null,'b':null,'c':null,'d':[null]}"), schema))
        .isEqualTo(json("{'b':null,'c':null,'d':[null]}"));
  }

  private static List<String> duplicates(String schema, String value) {
    var errors = new ArrayList<FieldError>();
    ListUniqueness.check(json(value), schema(schema), FieldPath.ROOT, errors);
    return errors.stream().map(error -> error.path() + ": " + error.body()).toList();
  }

  @Test
  void findsWhatStandsTwiceInSetsAndMaps() {
    var set = "{'properties':{'s':{'x-kubernetes-list-type':'set','items':{}}}}";
    assertThat(duplicates(set, "{'s':['a','b','a','a']}"))
        .containsExactly("s[2]: Duplicate value: \"a\"");
    var map =
        "{'properties':{'m':{'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
            + "'items':{'properties':{'k':{}}}}}}";
    assertThat(duplicates(map, "{'m':[{'k':'a'},{'k':'b'},{'k':'a','v':1}]}"))
        .containsExactly("m[2]: Duplicate value: {\"k\":\"a\"}");
    assertThat(duplicates(map, "{'m':[{'k':'a'},5]}"))
        .containsExactly("m[1]: Invalid value: 5: must be an object for an array of list-type map");
    assertThat(duplicates(map, "{'m':[{'k':'a'},{'k':'b'}]}")).isEmpty();
  }

  private static List<String> update(String schema, String old, String value) {
    var compiled = schema(schema);
    var now = json(value);
    return SchemaValidation.update(
            Correlation.of(now, json(old), compiled), now, compiled, FieldPath.ROOT)
        .stream()
        .map(error -> error.path())
        .toList();
  }

  @Test
  void forgivesWhatAnUpdateLeavesAsItWas() {
    var schema = "{'properties':{'a':{'maxLength':1},'b':{'maxLength':1}}}";
    assertThat(update(schema, "{'a':'long','b':'x'}", "{'a':'long','b':'y'}")).isEmpty();
    assertThat(update(schema, "{'a':'long'}", "{'a':'longer'}")).containsExactly("a");
    assertThat(update(schema, "{'a':'long'}", "{'a':'long','b':'new'}")).containsExactly("b");
  }

  @Test
  void findsItemsOfListsAgainByTheirKeysOnly() {
    var item = "'items':{'properties':{'k':{},'v':{'maxLength':1}}}";
    var map =
        "{'properties':{'m':{'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],"
            + item
            + "}}}";
    var old = "{'m':[{'k':'a','v':'long'},{'k':'b','v':'x'}]}";
    assertThat(update(map, old, "{'m':[{'k':'b','v':'z'},{'k':'a','v':'long'}]}")).isEmpty();
    assertThat(update(map, old, "{'m':[{'k':'c','v':'long'}]}")).containsExactly("m[0].v");
    var atomic = "{'properties':{'m':{" + item + "}}}";
    assertThat(update(atomic, old, "{'m':[{'k':'b','v':'z'},{'k':'a','v':'long'}]}"))
        .containsExactly("m[1].v");
    assertThat(update(atomic, old, old)).isEmpty();
  }
}
