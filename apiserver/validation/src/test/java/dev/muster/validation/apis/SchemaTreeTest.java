package dev.muster.validation.apis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.core.Verdicts;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTreeTest {
  private static final Verdicts DEFINITION = new Verdicts(DefinitionRules.STRATEGY, false);

  private static JsonObject schema(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'string','description':'a name','maxLength':3,'enum':['a']}",
        "{'type':'array','items':{'type':'integer','format':'int64','minimum':0}}",
        "{'type':'object','additionalProperties':{'type':'string'}}",
        "{'type':'object','required':['a'],'properties':{'a':{'type':'array','items':"
            + "{'type':'object','properties':{'b':{'type':'boolean'}}}}}}",
        "{'type':'object'}",
      })
  void typesAndTheirSizesAreSimple(String text) {
    assertThat(SchemaTree.isSimple(schema(text))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'type':'text'}",
        "{'type':['string']}",
        "{'type':'array'}",
        "{'type':'array','items':[{'type':'string'}]}",
        "{'type':'array','items':{'type':'array'}}",
        "{'type':'string','items':{'type':'string'}}",
        "{'type':'string','properties':{'a':{'type':'string'}}}",
        "{'type':'object','additionalProperties':true}",
        "{'type':'object','additionalProperties':{'type':'string'},"
            + "'properties':{'a':{'type':'string'}}}",
        "{'type':'object','properties':{'a':{'type':'string','default':'b'}}}",
        "{'type':'object','properties':{'a':{'type':'string','pattern':'['}}}",
        "{'type':'object','properties':{'a':true}}",
        "{'type':'string','nullable':true}",
        "{'type':'string','x-kubernetes-validations':[]}",
        "{'type':'string','not':{}}",
      })
  void whatHasRulesOrMayBeWrongIsNot(String text) {
    assertThat(SchemaTree.isSimple(schema(text))).isFalse();
  }

  @Test
  void whatIsVeryDeepIsLookedAtInDetail() {
    var deep = JsonObject.of("type", "string");
    for (int i = 0; i < 20; i++) {
      deep = JsonObject.of("type", "array", "items", deep);
    }
    assertThat(SchemaTree.isSimple(deep)).isFalse();
  }

  @Test
  void aMistakeBesideSimplePartsIsFound() {
    var simple = "{'type':'object','properties':{'b':{'type':'string'}}}";
    var wrong = "{'type':'object','properties':{'b':{'type':'array'}}}";
    var text =
        "{'metadata':{'name':'pears.example.com'},'spec':{'group':'example.com',"
            + "'scope':'Namespaced','names':{'plural':'pears','kind':'Pear'},'versions':["
            + "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
            + "{'type':'object','properties':{'a':%s,'c':%s}}}}]}}";
    assertThat(DEFINITION.create(text.formatted(simple, simple))).isEmpty();
    assertThat(DEFINITION.create(text.formatted(simple, wrong)))
        .singleElement()
        .asString()
        .contains("properties[c].properties[b].items: Required value");
  }
}
