package dev.muster.validation.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyRulesTest {
  private static final Verdicts VALIDATING = new Verdicts(ValidatingPolicyRules.STRATEGY, false);
  private static final Verdicts MUTATING = new Verdicts(MutatingPolicyRules.STRATEGY, false);
  private static final Verdicts BINDING = new Verdicts(PolicyBindingRules.VALIDATING, false);
  private static final Verdicts MUTATING_BINDING = new Verdicts(PolicyBindingRules.MUTATING, false);
  private static final String MATCH =
      "'matchConstraints':{'resourceRules':[{'apiGroups':[''],'apiVersions':['v1'],"
          + "'resources':['pods'],'operations':['CREATE']}]}";

  private static String policy(String rest) {
    return "{'spec':{" + MATCH + rest + "}}";
  }

  private static String expression(String text) {
    return policy(",'validations':[{'expression':\"" + text.replace("'", "\\u0027") + "\"}]");
  }

  @Test
  void policiesMatchSomethingAndSaySomething() {
    assertThat(VALIDATING.create("{}"))
        .containsExactly(
            "spec.matchConstraints: Required value",
            "spec.validations: Required value: validations or auditAnnotations must contain at"
                + " least one item",
            "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at"
                + " least one item");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          object.metadata.name.startsWith('x') && request.userInfo.groups.exists(g, g == 'a')
          authorizer.group('apps').resource('deployments').namespace('a').check('get').allowed()
          authorizer.requestResource.check('create').reason() == ''
          quantity('1Gi').isGreaterThan(quantity('1Mi')) && isIP('::1') && ip('::1').family() == 6
          object.?spec.?replicas.orValue(1) <= 5
          namespaceObject.metadata.labels.all(k, k != 'x')
          [1, 2].isSorted() && [3, 1].sum() == 4 && ['a'].indexOf('a') == 0 && 'ab'.indexOf('b') == 1
          cidr('10.0.0.0/8').containsIP('10.0.0.1') && string(cidr('10.0.0.0/8')) != ''
          !format.dns1123Label().validate('a').hasValue() && url('http://a').getHost() == 'a'
          semver('1.0.0').isLessThan(semver('2.0.0')) && 'x'.find('a') == '' && 'a'.matches('^a$')
          sets.contains([1], [1]) && object.all(k, v, v != null) && duration('1h') < duration('2h')
          '%s'.format([1]) == '1' && oldObject == null
          """)
  void expressionsMayUseWhatKubernetesOffers(String text) {
    assertThat(VALIDATING.create(expression(text))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          object.x           | must evaluate to bool but got dyn
          [1]                | must evaluate to bool but got list(int)
          {'a': 1}           | must evaluate to bool but got map(string, int)
          x == 1             | compilation failed: ERROR: <input>:1:1: undeclared reference to 'x' (in container '')
          request.colour     | compilation failed: ERROR: <input>:1:8: undefined field 'colour'
          request.name == 1  | compilation failed: ERROR: <input>:1:14: found no matching overload for '_==_' applied to '(string, int)'
          'a'.matches('([')  | compilation failed: ERROR: <input>:1:13: invalid matches argument
          variables.x        | compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')
          'a' < timestamp('2020-01-01T00:00:00Z') | compilation failed: ERROR: <input>:1:5: found no matching overload for '_<_' applied to '(string, timestamp)'
          """)
  void expressionsAreChecked(String text, String problem) {
    assertThat(VALIDATING.create(expression(text)))
        .singleElement()
        .asString()
        .startsWith("spec.validations[0].expression: Invalid value: \"" + text + "\": " + problem);
  }

  @Test
  void variablesAreKnownFromWhereTheyAreDeclared() {
    assertThat(
            VALIDATING.create(
                policy(
                    ",'variables':[{'name':'b','expression':'variables.a'},"
                        + "{'name':'a','expression':'1'},{'name':'if','expression':'1'}],"
                        + "'validations':[{'expression':'variables.a == 1'},"
                        + "{'expression':'variables.a == true'}]")))
        .containsExactly(
            "spec.variables[0].expression: Invalid value: \"variables.a\": compilation failed:"
                + " ERROR: <input>:1:10: undefined field 'a'\n | variables.a\n | .........^",
            "spec.variables[2].name: Invalid value: \"if\": must be a valid CEL identifier",
            "spec.validations[1].expression: Invalid value: \"variables.a == true\": compilation"
                + " failed: ERROR: <input>:1:13: found no matching overload for '_==_' applied to"
                + " '(int, bool)'\n | variables.a == true\n | ............^");
  }

  @Test
  void messagesAreOneLineAndReasonsAreKnown() {
    assertThat(
            VALIDATING.create(
                policy(
                    ",'validations':[{'expression':'true','message':'a\\nb','reason':'x',"
                        + "'messageExpression':'1'}]")))
        .containsExactly(
            "spec.validations[0].messageExpression: Invalid value: \"1\": must evaluate to string"
                + " but got int",
            "spec.validations[0].message: Invalid value: \"a\\nb\": must not contain line breaks",
            "spec.validations[0].reason: Unsupported value: \"x\": supported values: \"Forbidden\","
                + " \"Invalid\", \"RequestEntityTooLarge\"");
  }

  @Test
  void annotationsHaveKeysOfTheirOwn() {
    assertThat(
            VALIDATING.create(
                policy(
                    ",'auditAnnotations':[{'key':'a b','valueExpression':'null'},"
                        + "{'key':'a','valueExpression':'1'},{'key':'a','valueExpression':' '}]")))
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .startsWith(
                        "spec.auditAnnotations[0].key: Invalid value: \"pear/a b\": name part must"
                            + " consist of"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.auditAnnotations[1].valueExpression: Invalid value: \"1\": must"
                            + " evaluate to one of [string null_type] but got int"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.auditAnnotations[2].valueExpression: Required value: valueExpression"
                            + " is not specified"),
            one ->
                assertThat(one).isEqualTo("spec.auditAnnotations[2].key: Duplicate value: \"a\""));
  }

  @Test
  void mutationsEvaluateToPatches() {
    assertThat(
            MUTATING.create(
                policy(
                    ",'reinvocationPolicy':'Never','mutations':["
                        + "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'Object{metadata:"
                        + " Object.metadata{labels: {}}}'}},"
                        + "{'patchType':'JSONPatch','jsonPatch':{'expression':'[JSONPatch{op:"
                        + " \\\"add\\\", path: \\\"/a\\\", value: 1}]'}},"
                        + "{'patchType':'JSONPatch','jsonPatch':{'expression':'[1]'},"
                        + "'applyConfiguration':{'expression':'1'}},"
                        + "{'patchType':'ApplyConfiguration'},{},{'patchType':'x'}]")))
        .containsExactly(
            "spec.mutations[2].jsonPatch.expression: Invalid value: \"[1]\": must evaluate to"
                + " list(JSONPatch) but got list(int)",
            "spec.mutations[2].applyConfiguration: Invalid value: \"{applyConfiguration}\": must"
                + " not be specified when patchType is JSONPatch",
            "spec.mutations[3].applyConfiguration: Required value: must be specified when patchType"
                + " is ApplyConfiguration",
            "spec.mutations[4].patchType: Required value",
            "spec.mutations[5].patchType: Unsupported value: \"x\": supported values:"
                + " \"ApplyConfiguration\", \"JSONPatch\"");
    assertThat(MUTATING.create(policy("")))
        .containsExactly(
            "spec.mutations: Required value: mutations must contain at least one item",
            "spec.reinvocationPolicy: Required value");
  }

  @Test
  void bindingsNameAPolicyAndParameters() {
    assertThat(BINDING.create("{'spec':{'paramRef':{}}}"))
        .containsExactly(
            "spec.policyName: Required value",
            "spec.paramRef: Required value: one of name or selector must be specified",
            "spec.paramRef.parameterNotFoundAction: Required value",
            "spec.validationActions: Required value: at least one validation action is required");
    assertThat(
            BINDING.create("{'spec':{'policyName':'a','validationActions':['Audit','Audit','x']}}"))
        .containsExactly(
            "spec.validationActions[1]: Duplicate value: \"Audit\"",
            "spec.validationActions[2]: Unsupported value: \"x\": supported values: \"Audit\","
                + " \"Deny\", \"Warn\"");
    assertThat(
            MUTATING_BINDING.create(
                "{'spec':{'policyName':'a','matchResources':{'resourceRules':[{'apiGroups':[''],"
                    + "'apiVersions':['v1'],'resources':['pods'],'operations':['DELETE']}]}}}"))
        .containsExactly(
            "spec.matchResources.resourceRules.operations: Unsupported value: \"DELETE\":"
                + " supported values: \"*\", \"CONNECT\", \"CREATE\", \"UPDATE\"");
  }

  @Test
  void reservedNamesAreWarnedAbout() {
    assertThat(BINDING.warnings("{'metadata':{'name':'a.static.k8s.io'}}")).hasSize(1);
  }

  @Test
  void warningsOfTheTypeCheckNameAField() {
    var before = policy(",'validations':[{'expression':'true'}]");
    var after =
        before.substring(0, before.length() - 1)
            + ",'status':{'typeChecking':{'expressionWarnings':[{'fieldRef':' spec.a[0].b ',"
            + "'warning':'w'},{'fieldRef':' ','warning':''},{'fieldRef':' spec.a[ ',"
            + "'warning':'w'}]}}}";
    assertThat(VALIDATING.statusUpdate(before, after))
        .containsExactly(
            "status.typeChecking.expressionWarnings[1].warning: Required value",
            "status.typeChecking.expressionWarnings[1].fieldRef: Required value",
            "status.typeChecking.expressionWarnings[2].fieldRef: Invalid value: \"spec.a[\":"
                + " invalid JSONPath: unterminated array");
  }

  @Test
  void variablesHaveThePlainTypesOfTheirExpressions() {
    var variables =
        ",'variables':[{'name':'q','expression':\"quantity(\\u00271\\u0027)\"},"
            + "{'name':'l','expression':'[1]'}],'validations':[{'expression':'variables.%s'}]";
    assertThat(VALIDATING.create(policy(variables.formatted("q"))))
        .singleElement()
        .asString()
        .endsWith("must evaluate to bool but got dyn");
    assertThat(VALIDATING.create(policy(variables.formatted("l"))))
        .singleElement()
        .asString()
        .endsWith("must evaluate to bool but got list(int)");
  }

  @Test
  void placesInAnnotationsAreCountedWithoutTheSpaceAround() {
    assertThat(
            VALIDATING.create(
                "{'metadata':{'name':'p'},"
                    + policy(",'auditAnnotations':[{'key':'k','valueExpression':'  x'}]")
                        .substring(1)))
        .containsExactly(
            "spec.auditAnnotations[0].valueExpression: Invalid value: \"  x\": compilation failed:"
                + " ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n"
                + " | x\n | ^");
  }

  @Test
  void fieldsThatAPatchDoesNotHaveAreOfNoType() {
    var spec =
        ",'reinvocationPolicy':'Never','mutations':[{'patchType':'JSONPatch','jsonPatch':"
            + "{'expression':'[JSONPatch{operation: %s}]'}}]";
    assertThat(MUTATING.create(policy(spec.formatted("1"))))
        .singleElement()
        .asString()
        .contains("expected type of field 'operation' is '' but provided type is 'int'");
    assertThat(MUTATING.create(policy(spec.formatted("object.a")))).isEmpty();
  }
}
