package dev.muster.admission.policy;

import static dev.muster.admission.policy.Policies.CONFIG_MAPS;
import static dev.muster.admission.policy.Policies.configMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.admission.matching.ExpressionEvaluation;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class ValidatingPoliciesTest {
  private static final String DENY = "'validationActions':['Deny']";
  private static final String NEVER = "'validations':[{'expression':'false','message':'never'}]";

  private final Policies policies = new Policies();

  private ApiException refusal(String name, String data) {
    var request = policies.requests.create(CONFIG_MAPS, configMap(name, data));
    return catchThrowableOfType(ApiException.class, () -> policies.validating.validate(request));
  }

  private void passes(String name, String data) {
    policies.validating.validate(policies.requests.create(CONFIG_MAPS, configMap(name, data)));
  }

  @Test
  void aFailingValidationRefuses() {
    policies.validating("p", "'validations':[{'expression':'object.data.a == \\\"1\\\"'}]", DENY);
    passes("c", "{'a':'1'}");
    var refusal = refusal("c", "{'a':'2'}");
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.text())
        .isEqualTo(
            "configmaps \"c\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied"
                + " request: failed expression: object.data.a == \"1\"");
    assertThat(refusal.details().causes()).hasSize(1);
  }

  @Test
  void aPolicyWithoutBindingIsNotInForce() {
    policies.validating("p", NEVER, DENY);
    policies.cluster.remove("/validatingadmissionpolicybindings", "", "p");
    passes("c", "{}");
  }

  @Test
  void aChangedPolicyCountsAtOnce() {
    policies.validating("p", NEVER, DENY);
    assertThat(refusal("c", "{}")).isNotNull();
    policies.validating("p", "'validations':[{'expression':'true'}]", DENY);
    passes("c", "{}");
  }

  @Test
  void warningsLetPass() {
    policies.validating("p", NEVER, "'validationActions':['Warn','Audit']");
    var request = policies.requests.create(CONFIG_MAPS, configMap("c", "{}"));
    policies.validating.validate(request);
    assertThat(policies.requests.warnings)
        .containsExactly(
            "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': never");
    assertThat(request.annotations().all())
        .containsEntry(
            "validation.policy.admission.k8s.io/validation_failure",
            "[{\"message\":\"never\",\"policy\":\"p\",\"binding\":\"p\",\"expressionIndex\":0,"
                + "\"validationActions\":[\"Warn\",\"Audit\"]}]");
  }

  @Test
  void auditAnnotationsAreKeptWithTheRequest() {
    policies.validating(
        "p",
        "'auditAnnotations':[{'key':'k','valueExpression':'object.metadata.name'},"
            + "{'key':'n','valueExpression':'null'}]",
        DENY);
    var request = policies.requests.create(CONFIG_MAPS, configMap("c", "{}"));
    policies.validating.validate(request);
    assertThat(request.annotations().all()).containsOnlyKeys("p/k").containsEntry("p/k", "c");
  }

  @Test
  void theFailurePolicyDecidesWhenAnExpressionFails() {
    policies.validating("p", "'validations':[{'expression':'object.data.a == \\\"1\\\"'}]", DENY);
    assertThat(refusal("c", "{'b':'1'}").text()).endsWith("resulted in error: no such key: a");
    policies.validating(
        "p",
        "'failurePolicy':'Ignore','validations':[{'expression':'object.data.a == \\\"1\\\"'}]",
        DENY);
    passes("c", "{}");
  }

  @Test
  void oneFalseConditionWinsOverErrors() {
    policies.validating(
        "p",
        NEVER
            + ",'matchConditions':[{'name':'e','expression':'object.data.none == 1'},"
            + "{'name':'f','expression':'false'}]",
        DENY);
    passes("c", "{}");
  }

  @Test
  void variablesAreEvaluatedWhenSomebodyLooks() {
    policies.validating(
        "p",
        "'variables':[{'name':'bad','expression':'object.data.none'},"
            + "{'name':'n','expression':'object.data.size()'}],"
            + "'validations':[{'expression':'variables.n < 3'},"
            + "{'expression':'variables.n < 2 || variables.bad == \\\"x\\\"'}]",
        DENY);
    passes("c", "{'a':'1'}");
    assertThat(refusal("c", "{'a':'1','b':'2'}").text())
        .endsWith("composited variable \"bad\" fails to evaluate: no such key: none");
  }

  @Test
  void expressionsThatCostTooMuchTogetherRefuse() {
    var all = "object.data.all(a, object.data.all(b, object.data.all(c, a+b+c != \\\"x\\\")))";
    var validations = "{'expression':'%s'}".formatted(all);
    policies.validating(
        "p",
        "'validations':[" + String.join(",", Collections.nCopies(40, validations)) + "]",
        DENY);
    var data = new StringBuilder("{");
    for (int i = 0; i < 36; i++) {
      data.append(i == 0 ? "" : ",").append("'k").append(i).append("':'v'");
    }
    assertThat(refusal("c", data.append("}").toString()).text())
        .endsWith("denied request: " + ExpressionEvaluation.ExhaustedException.TEXT);
  }

  @Test
  void parametersOfTheBindingAreUsed() {
    policies.cluster.put(
        "/limitranges",
        Policies.json(
            "{'metadata':{'name':'l','namespace':'a','annotations':{'max':'2'}},'spec':{}}"));
    policies.validating(
        "p",
        "'paramKind':{'apiVersion':'v1','kind':'LimitRange'},"
            + "'validations':[{'expression':'object.metadata.name.size() <="
            + " int(params.metadata.annotations.max)'}]",
        DENY + ",'paramRef':{'name':'l','parameterNotFoundAction':'Deny'}");
    passes("ab", "{}");
    assertThat(refusal("abc", "{}")).isNotNull();
    policies.cluster.remove("/limitranges", "a", "l");
    assertThat(refusal("ab", "{}").text())
        .endsWith(
            "failed to configure binding: no params found for policy binding with `Deny`"
                + " parameterNotFoundAction");
  }

  @Test
  void anUnknownKindOfParametersIsToldWithoutTheBinding() {
    policies.validating(
        "p",
        "'paramKind':{'apiVersion':'example.com/v1','kind':'Nothing'}," + NEVER,
        DENY + ",'paramRef':{'name':'l','parameterNotFoundAction':'Allow'}");
    assertThat(refusal("c", "{}").text())
        .isEqualTo(
            "configmaps \"c\" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to"
                + " configure policy: failed to find resource referenced by paramKind:"
                + " 'example.com/v1, Kind=Nothing'");
  }

  @Test
  void aBindingNarrowsItsPolicy() {
    policies.validating(
        "p",
        NEVER,
        DENY + ",'matchResources':{'namespaceSelector':{'matchLabels':{'env':'test'}}}");
    passes("c", "{}");
    policies.validating(
        "p",
        NEVER,
        DENY + ",'matchResources':{'namespaceSelector':{'matchLabels':{'env':'prod'}}}");
    assertThat(refusal("c", "{}")).isNotNull();
  }

  @Test
  void aDeletedObjectIsTheOldOne() {
    policies.validating(
        "p", "'validations':[{'expression':'object == null && !has(oldObject.data.keep)'}]", DENY);
    var kept = policies.requests.delete(CONFIG_MAPS, configMap("c", "{'keep':'1'}"));
    assertThat(catchThrowableOfType(ApiException.class, () -> policies.validating.validate(kept)))
        .isNotNull();
    policies.validating.validate(
        policies.requests.delete(CONFIG_MAPS, configMap("c", "{'other':'1'}")));
  }

  /** As in Go, where an empty map is left out of what expressions see. */
  @Test
  void whatIsEmptyIsNotThere() {
    policies.validating("p", "'validations':[{'expression':'!has(object.data)'}]", DENY);
    passes("c", "{}");
  }

  @Test
  void expressionsAskAboutRights() {
    policies.validating(
        "p",
        "'validations':[{'expression':'!authorizer.group(\\\"\\\").resource(\\\"pods\\\")"
            + ".check(\\\"get\\\").allowed()','message':'may get pods'}]",
        DENY);
    assertThat(refusal("c", "{}").text()).endsWith("may get pods");
  }
}
