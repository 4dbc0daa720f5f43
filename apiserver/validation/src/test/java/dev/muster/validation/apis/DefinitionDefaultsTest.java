package dev.muster.validation.apis;

import static dev.muster.validation.apis.DefinitionTexts.DEFINITION;
import static dev.muster.validation.apis.DefinitionTexts.definition;
import static dev.muster.validation.apis.DefinitionTexts.property;
import static dev.muster.validation.apis.DefinitionTexts.schema;
import static dev.muster.validation.apis.DefinitionTexts.version;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DefinitionDefaultsTest {
  @Test
  void defaultsFitTheirSchema() {
    var place = "spec.validation.openAPIV3Schema.properties[a].default";
    assertThat(DEFINITION.create(property("{'type':'string','default':5}")))
        .containsExactly(
            place + ": Invalid value: \"integer\":  in body must be of type string: \"integer\"");
    assertThat(
            DEFINITION.create(
                property(
                    "{'type':'object','properties':{'x':{'type':'integer'}},"
                        + "'default':{'x':1,'y':2}}")))
        .containsExactly(
            place + ": Invalid value: {\"x\":1,\"y\":2}: must not have unknown fields");
    assertThat(
            DEFINITION.create(
                property(
                    "{'type':'array','items':{'type':'object','properties':{'x':"
                        + "{'type':'integer','default':1}}},'default':[{}]}")))
        .isEmpty();
    assertThat(DEFINITION.create(schema("{'type':'object','default':{}}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.default.apiVersion: Required value",
            "spec.validation.openAPIV3Schema.default.kind: Required value");
  }

  @Test
  void defaultsKeepTheRulesOfTheirSchema() {
    var place = "spec.validation.openAPIV3Schema.properties[a].default";
    var number = "{'type':'integer','default':%s,'x-kubernetes-validations':[%s]}";
    assertThat(DEFINITION.create(property(number.formatted("11", "{'rule':'self < 10'}"))))
        .containsExactly(place + ": Invalid value: 11: failed rule: self < 10");
    assertThat(DEFINITION.create(property(number.formatted("9", "{'rule':'self < 10'}"))))
        .isEmpty();
    assertThat(DEFINITION.create(property(number.formatted("9", "{'rule':'self != oldSelf'}"))))
        .as("a default that stays")
        .containsExactly(place + ": Invalid value: 9: failed rule: self != oldSelf");
    assertThat(
            DEFINITION.create(
                property(
                    number.formatted("9", "{'rule':'oldSelf.hasValue()','optionalOldSelf':true}"))))
        .as("a default that comes")
        .containsExactly(place + ": Invalid value: 9: failed rule: oldSelf.hasValue()");
    assertThat(DEFINITION.create(property(number.formatted("9", "{'rule':'self +'}"))).getFirst())
        .startsWith(
            place + ": Invalid value: \"integer\": rule compile error: compilation failed: ERROR");
    assertThat(
            DEFINITION.create(
                property(
                    "{'type':'object','default':{'x':2},'properties':{'x':{'type':'integer',"
                        + "'x-kubernetes-validations':[{'rule':'self == 1'}]}}}")))
        .as("rules of what is within the default")
        .containsExactly(place + ".x: Invalid value: 2: failed rule: self == 1");
  }

  @Test
  void rulesOfDefaultsShareOneBudget() {
    var many = new StringBuilder("{'type':'object','properties':{");
    var items = "[" + "1,".repeat(299) + "1]";
    for (int i = 0; i < 40; i++) {
      many.append(i == 0 ? "" : ",").append("'p").append(i).append("':{'type':'array',");
      many.append("'items':{'type':'integer'},'maxItems':300,'default':").append(items);
      many.append(",'x-kubernetes-validations':[{'rule':'self.all(a, self.all(b, a + b < 9))'}]}");
    }
    assertThat(DEFINITION.create(schema(many.append("}}").toString())))
        .singleElement()
        .asString()
        .endsWith(
            "Invalid value: \"array\": validation failed due to running out of cost budget, no"
                + " further validation rules will be run");
  }

  @Test
  void defaultsWithinMetadataMakeValidMetadata() {
    var pod =
        "{'type':'object','x-kubernetes-embedded-resource':true,'properties':{'metadata':{"
            + "'type':'object','properties':{'%s':{'type':'%s','default':%s}}}}}";
    var place =
        "spec.validation.openAPIV3Schema.properties[a].properties[metadata].properties[%s].default";
    assertThat(DEFINITION.create(property(pod.formatted("name", "string", "'x'")))).isEmpty();
    assertThat(DEFINITION.create(property(pod.formatted("name", "string", "'a/b'"))))
        .containsExactly(
            place.formatted("name")
                + ": Invalid value: \"a/b\": must result in valid metadata: metadata.name: Invalid"
                + " value: \"a/b\": may not contain '/'");
    assertThat(DEFINITION.create(property(pod.formatted("name", "integer", "5"))))
        .anySatisfy(
            error ->
                assertThat(error)
                    .startsWith(place.formatted("name"))
                    .contains("must result in valid metadata: metadata: Invalid value: {"));
  }

  @Test
  void whatKeepsUnknownFieldsHasNeitherDefaultsNorConversion() {
    var old =
        definition(
            version(
                "v1",
                true,
                "{'type':'object','properties':{'a':{'type':'string','default':'x'}}}",
                ""),
            ",'preserveUnknownFields':true,'conversion':{'strategy':'Webhook','webhook':"
                + "{'conversionReviewVersions':['v1'],'clientConfig':{'url':'https://a/b'}}}");
    assertThat(DEFINITION.create(old))
        .containsExactly(
            "spec.preserveUnknownFields: Invalid value: true: must be false in order to use"
                + " defaults in the schema",
            "spec.conversion.strategy: Invalid value: \"Webhook\": must be None if"
                + " spec.preserveUnknownFields is true",
            "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set"
                + " x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                + " instead");
  }
}
