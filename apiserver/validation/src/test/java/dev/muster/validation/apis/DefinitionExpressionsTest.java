package dev.muster.validation.apis;

import static dev.muster.validation.apis.DefinitionTexts.DEFINITION;
import static dev.muster.validation.apis.DefinitionTexts.costly;
import static dev.muster.validation.apis.DefinitionTexts.property;
import static dev.muster.validation.apis.DefinitionTexts.ruled;
import static dev.muster.validation.apis.DefinitionTexts.schema;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expressions in schemas: what they may refer to and what they may cost. */
class DefinitionExpressionsTest {
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
  void expressionsThatAreStoredMayStayDearAsLongAsAllTogetherAreNot() {
    var dear =
        costly(
            "'type':'array','maxItems':10,'items':{'type':'string'}",
            "self.all(x, self.all(y, x != y))");
    assertThat(DEFINITION.create(dear)).hasSize(1);
    assertThat(DEFINITION.update(dear, dear)).isEmpty();
    assertThat(DEFINITION.update(dear, dear.replace("x != y", "y != x"))).hasSize(1);
  }
}
