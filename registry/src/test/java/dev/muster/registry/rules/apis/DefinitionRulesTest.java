package dev.muster.registry.rules.apis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.rules.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DefinitionRulesTest {
  private static final Verdicts DEFINITION = new Verdicts(DefinitionRules.STRATEGY, false);
  private static final String OBJECT = "{'type':'object'}";

  private static String definition(String versions, String rest) {
    return "{'metadata':{'name':'pears.example.com'},'spec':{'group':'example.com',"
        + "'scope':'Namespaced','names':{'plural':'pears','kind':'Pear'},'versions':["
        + versions
        + "]"
        + rest
        + "}}";
  }

  private static String version(String name, boolean storage, String schema, String rest) {
    return "{'name':'"
        + name
        + "','served':true,'storage':"
        + storage
        + ",'schema':{'openAPIV3Schema':"
        + schema
        + "}"
        + rest
        + "}";
  }

  private static String schema(String schema) {
    return definition(version("v1", true, schema, ""), "");
  }

  private static String property(String schema) {
    return schema("{'type':'object','properties':{'a':" + schema + "}}");
  }

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
  void expressionsAreCheckedWhereTheirPartOfTheSchemaIsSound() {
    var text =
        schema(
            "{'type':'object','properties':{'a':{'type':'array','uniqueItems':true,"
                + "'items':{'type':'string'},'x-kubernetes-validations':[{'rule':'x'}]},"
                + "'b':{'type':'integer','x-kubernetes-validations':[{'rule':'self'}]}}}");
    assertThat(DEFINITION.create(text))
        .satisfiesExactly(
            one -> assertThat(one).contains("properties[a].uniqueItems: Forbidden"),
            one -> assertThat(one).endsWith("cel expression must evaluate to a bool"));
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'integer' | self + 1          | cel expression must evaluate to a bool
          'integer' | self == 'x'       | compilation failed: ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(int, string)'
          'object'  | self.b            | compilation failed: ERROR: <input>:1:5: undefined field 'b'
          'string'  | self >            | compilation failed: ERROR: <input>:1:7: Syntax error: mismatched input '<EOF>'
          """)
  void rulesAreChecked(String type, String rule, String problem) {
    assertThat(DEFINITION.create(property(ruled(type, rule, ""))))
        .singleElement()
        .asString()
        .startsWith(
            "spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[0].rule:"
                + " Invalid value: {\"Rule\":")
        .contains("\"OptionalOldSelf\":null}: " + problem);
  }

  private static String ruled(String type, String rule, String rest) {
    return "{'type':"
        + type
        + ",'x-kubernetes-validations':[{'rule':\""
        + rule.replace("'", "\\u0027")
        + "\""
        + rest
        + "}]}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          self.metadata.name.startsWith('a')
          self.spec.a__dash__b == 1 && self.spec.__namespace__ == 'x'
          self.spec.m.all(k, self.spec.m[k] > 0) && self.spec.t > timestamp('2020-01-01T00:00:00Z')
          !has(self.spec.m) || size(oldSelf.spec.m) <= size(self.spec.m)
          """)
  void rulesSeeTheFieldsOfTheSchema(String rule) {
    assertThat(
            DEFINITION.create(
                schema(
                    "{'type':'object','properties':{'spec':{'type':'object','properties':{"
                        + "'a-b':{'type':'integer'},'namespace':{'type':'string'},"
                        + "'t':{'type':'string','format':'date-time'},"
                        + "'m':{'type':'object','additionalProperties':{'type':'number'}}}}},"
                        + "'x-kubernetes-validations':[{'rule':\""
                        + rule.replace("'", "\\u0027")
                        + "\"}]}")))
        .isEmpty();
  }

  @Test
  void whatHasNoCounterpartCannotBeComparedWithIt() {
    var path = "spec.validation.openAPIV3Schema.properties[a]";
    assertThat(
            DEFINITION.create(
                property(
                    "{'type':'array','items':" + ruled("'integer'", "self == oldSelf", "") + "}")))
        .containsExactly(
            path
                + ".items.x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\":"
                + " oldSelf cannot be used on the uncorrelatable portion of the schema within "
                + path);
    assertThat(
            DEFINITION.create(property(ruled("'integer'", "self > 1", ",'optionalOldSelf':true"))))
        .containsExactly(
            path
                + ".x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may not be"
                + " set if oldSelf is not used in rule");
    assertThat(
            DEFINITION.create(
                property(
                    "{'x-kubernetes-preserve-unknown-fields':true,"
                        + "'x-kubernetes-validations':[{'rule':'true'}]}")))
        .singleElement()
        .asString()
        .startsWith(path + ".x-kubernetes-validations: Internal error: internal error: failed to");
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

  private static String costly(String type, String rule) {
    return property("{" + type + ",'x-kubernetes-validations':[{'rule':\"" + rule + "\"}]}");
  }

  @Test
  void expressionsCostNoMoreThanAllowed() {
    var hint =
        " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays,"
            + " maps, and strings are declared)";
    var list = "'type':'array','items':{'type':'string'}";
    var each = "self.all(x, self.all(y, x != y))";
    assertThat(DEFINITION.create(costly(list + ",'maxItems':10", each)))
        .singleElement()
        .asString()
        .contains("estimated rule cost exceeds budget by factor of 3.1x" + hint);
    assertThat(DEFINITION.create(costly(list, each)))
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .endsWith(
                        "x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds"
                            + " budget by factor of more than 100x"
                            + hint),
            one ->
                assertThat(one)
                    .endsWith(
                        "Forbidden: contributed to estimated rule cost total exceeding cost limit"
                            + " for entire OpenAPIv3 schema"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.validation.openAPIV3Schema: Forbidden: x-kubernetes-validations"
                            + " estimated rule cost total for entire OpenAPIv3 schema exceeds"
                            + " budget by factor of more than 100x"
                            + hint));
  }

  @Test
  void whatIsInUnboundedListsCostsAsOftenAsItFits() {
    var inside =
        "{'type':'array'%s,'items':{'type':'string','maxLength':5,'x-kubernetes-validations':[{'rule':'self.size()"
            + " > 1 && self.size() < 4 && self.size() != 3 && self.size() != 2'}]}}";
    assertThat(DEFINITION.create(property(inside.formatted("")))).isNotEmpty();
    assertThat(DEFINITION.create(property(inside.formatted(",'maxItems':100")))).isEmpty();
  }

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
  void expressionsThatAreStoredMayStayDearAsLongAsAllTogetherAreNot() {
    var dear =
        costly(
            "'type':'array','maxItems':10,'items':{'type':'string'}",
            "self.all(x, self.all(y, x != y))");
    assertThat(DEFINITION.create(dear)).hasSize(1);
    assertThat(DEFINITION.update(dear, dear)).isEmpty();
    assertThat(DEFINITION.update(dear, dear.replace("x != y", "y != x"))).hasSize(1);
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
