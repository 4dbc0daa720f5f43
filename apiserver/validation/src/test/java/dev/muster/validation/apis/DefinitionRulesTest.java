package dev.muster.validation.apis;

import static dev.muster.validation.apis.DefinitionTexts.DEFINITION;
import static dev.muster.validation.apis.DefinitionTexts.OBJECT;
import static dev.muster.validation.apis.DefinitionTexts.definition;
import static dev.muster.validation.apis.DefinitionTexts.property;
import static dev.muster.validation.apis.DefinitionTexts.schema;
import static dev.muster.validation.apis.DefinitionTexts.version;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionRulesTest {
  @Test
  void namesAndConversionAreFilledIn() {
    var made = DEFINITION.prepared(schema(OBJECT));
    assertThat(made.object("spec", "names").string("singular")).isEqualTo("pear");
    assertThat(made.object("spec", "names").string("listKind")).isEqualTo("PearList");
    assertThat(made.object("spec", "conversion").string("strategy")).isEqualTo("None");
    assertThat(made.object("status").array("storedVersions").strings()).containsExactly("v1");
    assertThat(made.object("metadata").integer("generation", 0)).isEqualTo(1);
    assertThat(DEFINITION.create(schema(OBJECT))).isEmpty();
  }

  @Test
  void theNameIsMadeOfPluralAndGroup() {
    assertThat(
            DEFINITION.create(schema(OBJECT).replace("'pears.example.com'", "'pears.example.org'")))
        .containsExactly(
            "metadata.name: Invalid value: \"pears.example.org\": must be"
                + " spec.names.plural+\".\"+spec.group");
  }

  @Test
  void oneVersionIsStored() {
    assertThat(
            DEFINITION.create(
                definition(
                    version("v1", true, OBJECT, "") + "," + version("v1", true, OBJECT, ""), "")))
        .satisfiesExactly(
            one -> assertThat(one).endsWith("must contain unique version names"),
            one ->
                assertThat(one).endsWith("must have exactly one version marked as storage version"),
            one -> assertThat(one).endsWith("must have the storage version v1"));
    assertThat(DEFINITION.create(definition("", "").replace(",'versions':[]", "")))
        .contains(
            "spec.versions: Invalid value: null: must have exactly one version marked as storage"
                + " version");
  }

  @Test
  void theFirstVersionIsNamedTwiceWhereItsNameIsWrong() {
    assertThat(DEFINITION.create(definition(version("V1", true, OBJECT, ""), "")))
        .hasSize(2)
        .anySatisfy(one -> assertThat(one).startsWith("spec.versions[0].name: Invalid value"))
        .anySatisfy(one -> assertThat(one).startsWith("spec.version: Invalid value: \"V1\""));
  }

  @Test
  void whatIsNoStructureIsRefusedEvenWhereNothingElseIsWrong() {
    assertThat(DEFINITION.create(schema("{'type':'object','$schema':'x'}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema: Invalid value: \"\": OpenAPIV3Schema 'schema' is not"
                + " supported");
  }

  @Test
  void versionsThatWereStoredStay() {
    var two = version("v1", true, OBJECT, "") + "," + version("v2", false, OBJECT, "");
    var other = version("v2", true, OBJECT, "");
    assertThat(DEFINITION.update(definition(two, ""), definition(other, "")))
        .containsExactly(
            "status.storedVersions[0]: Invalid value: \"v1\": missing from spec.versions; v1 was"
                + " previously a storage version, and must remain in spec.versions until a storage"
                + " migration ensures no data remains persisted in v1 and removes v1 from"
                + " status.storedVersions");
  }

  @Test
  void groupsOfTheCommunityNeedApproval() {
    var text = schema(OBJECT).replace("example.com", "x.k8s.io");
    assertThat(DEFINITION.create(text))
        .containsExactly(
            "metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups"
                + " must have approval annotation \"api-approved.kubernetes.io\", see"
                + " https://github.com/kubernetes/enhancements/pull/1111");
    assertThat(
            DEFINITION.create(
                text.replace(
                    "{'name':'pears.x.k8s.io'",
                    "{'annotations':{'api-approved.kubernetes.io':'unapproved, test'},"
                        + "'name':'pears.x.k8s.io'")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                                    | .type: Required value: must not be empty for specified object fields
          {'type':'odd'}                                        | .type: Unsupported value: "odd": supported values: "array", "boolean", "integer", "number", "object", "string"
          {'type':'array'}                                      | .items: Required value: must be specified
          {'type':'string','pattern':'['}                       | .pattern: Invalid value: "[": must be a valid regular expression, but isn't: error parsing regexp: missing closing ]: `[`
          {'type':'string','anyOf':[{'type':'string'}]}         | .anyOf[0].type: Forbidden: must be empty to be structural
          {'type':'string','$ref':'x'}                          | .$ref: Forbidden: $ref is not supported
          {'type':'array','items':{'type':'string'},'uniqueItems':true} | .uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic
          {'type':'object','x-kubernetes-preserve-unknown-fields':false} | .x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined
          {'type':'string','x-kubernetes-map-type':'atomic'}    | .type: Invalid value: "string": must be object if x-kubernetes-map-type is specified
          {'type':'array','items':{'type':'object'},'x-kubernetes-list-type':'set'} | .items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set
          {'type':'array','items':{'type':'object'},'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k']} | .x-kubernetes-list-map-keys: Invalid value: ["k"]: entries must all be names of item properties
          {'type':'object','x-kubernetes-embedded-resource':true} | .properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields
          {'type':'integer','x-kubernetes-validations':[{'rule':' '}]} | .x-kubernetes-validations[0].rule: Required value: rule is not specified
          """)
  void schemasAreStructural(String schema, String error) {
    assertThat(DEFINITION.create(property(schema)))
        .containsExactly("spec.validation.openAPIV3Schema.properties[a]" + error);
  }

  @Test
  void schemasMayBeDeep() {
    var schema = "{'type':'string'}";
    for (int i = 0; i < 900; i++) {
      schema = "{'type':'array','items':" + schema + "}";
    }
    assertThat(DEFINITION.create(property(schema))).isEmpty();
    assertThat(DEFINITION.create(property(schema.replace("{'type':'string'}", "{}"))))
        .singleElement()
        .asString()
        .endsWith(".items.type: Required value: must not be empty for specified array items");
  }

  @Test
  void whatAJunctorAtTheRootLooksAtIsDefined() {
    assertThat(DEFINITION.create(schema("{'type':'object','not':{'properties':{'b':{}}}}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[b]: Required value: because it is defined"
                + " in spec.validation.openAPIV3Schema.not.properties[b]");
    assertThat(DEFINITION.create(property("{'type':'object','not':{'properties':{'b':{}}}}")))
        .isEmpty();
  }

  @Test
  void metadataIsNotForTheSchema() {
    assertThat(
            DEFINITION.create(
                schema(
                    "{'type':'object','properties':{'metadata':{'type':'object','properties':"
                        + "{'labels':{'type':'object'}}},'kind':{'type':'string','default':'x'}}}")))
        .containsExactly(
            "spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify"
                + " anything other than name and generateName, but metadata is implicitly"
                + " specified",
            "spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be set"
                + " in top-level kind");
  }

  @Test
  void fieldsAreNamedWhereKubernetesKeepsThem() {
    var bad = "{'type':'object','properties':{'a':{}}}";
    assertThat(
            DEFINITION.create(
                definition(
                    version("v1", true, OBJECT, "") + "," + version("v2", false, bad, ""), "")))
        .containsExactly(
            "spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value: must not"
                + " be empty for specified object fields");
    assertThat(
            DEFINITION.create(
                definition(
                    version(
                        "v1",
                        true,
                        OBJECT,
                        ",'additionalPrinterColumns':[{'name':'x','type':'text','jsonPath':'a'}],"
                            + "'selectableFields':[{'jsonPath':'.spec.a'}]"),
                    ",'conversion':{'strategy':'Webhook','webhook':{}}")))
        .containsExactly(
            "spec.additionalPrinterColumns[0].type: Invalid value: \"text\": must be one of"
                + " boolean,date,integer,number,string",
            "spec.additionalPrinterColumns[0].JSONPath: Invalid value: \"a\": must be a simple json"
                + " path starting with .",
            "spec.selectableFields[0].jsonPath: Invalid value: \".spec.a\": is an invalid path:"
                + " does not refer to a valid field",
            "spec.conversion.webhookClientConfig: Required value: required when strategy is set to"
                + " Webhook",
            "spec.conversion.conversionReviewVersions: Required value");
  }

  @Test
  void formatsThatNobodyChecksAreWarnedAbout() {
    assertThat(DEFINITION.warnings(property("{'type':'string','format':'colour'}")))
        .containsExactly("unrecognized format \"colour\"");
  }
}
