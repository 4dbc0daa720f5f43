package dev.muster.validation.networking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IngressClassRulesTest {
  private static final Verdicts CLASS = new Verdicts(IngressClassRules.STRATEGY, false);

  private static String withParameters(String parameters) {
    return "{'spec':{'controller':'a.example/c','parameters':" + parameters + "}}";
  }

  @Test
  void aControllerHasADomain() {
    assertThat(CLASS.create("{}")).containsExactly("spec.controller: Required value");
    assertThat(CLASS.create("{'spec':{'controller':'nginx'}}"))
        .containsExactly(
            "spec.controller: Invalid value: \"nginx\": must be a domain-prefixed path (such as"
                + " \"acme.io/foo\")");
    assertThat(CLASS.create("{'spec':{'controller':'a.example/" + "c".repeat(250) + "'}}"))
        .containsExactly("spec.controller: Too long: may not be more than 250 bytes");
  }

  @Test
  void theControllerStays() {
    assertThat(
            CLASS.update(
                "{'spec':{'controller':'a.example/c'}}", "{'spec':{'controller':'a.example/d'}}"))
        .containsExactly("spec.controller: Invalid value: \"a.example/d\": field is immutable");
  }

  @Test
  void parametersAreForTheClusterUnlessTheySayOtherwise() {
    assertThat(
            CLASS
                .prepared(withParameters("{'kind':'K','name':'n'}"))
                .object("spec", "parameters")
                .string("scope"))
        .isEqualTo("Cluster");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'name':'n'} | kind: Required value",
        "{'kind':'K'} | name: Required value",
        "{'kind':'K','name':'a%b'} | name: Invalid value: \"a%b\": may not contain '%'",
        "{'kind':'K','name':'n','scope':'Namespace'} | namespace: Required value:"
            + " `parameters.scope` is set to 'Namespace'",
        "{'kind':'K','name':'n','namespace':'x'} | namespace: Forbidden: `parameters.scope` is set"
            + " to 'Cluster'",
        "{'kind':'K','name':'n','scope':'Planet'} | scope: Unsupported value: \"Planet\":"
            + " supported values: \"Cluster\", \"Namespace\"",
        "{'kind':'K','name':'n','scope':''} | scope: Unsupported value: \"\": supported values:"
            + " \"Cluster\", \"Namespace\"",
      })
  void parametersNameAnObject(String parameters, String error) {
    assertThat(CLASS.create(withParameters(parameters)))
        .containsExactly("spec.parameters." + error);
  }
}
