package dev.muster.controllers.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.Yaml;
import dev.muster.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TypeCheckTest {
  private static final JsonObject SCHEMAS =
      Yaml.object(
          """
          Deployment:
            type: object
            properties:
              apiVersion: {type: string}
              kind: {type: string}
              metadata: {allOf: [{$ref: '#/components/schemas/Meta'}]}
              spec:
                type: object
                properties:
                  replicas: {type: integer}
                  paused: {type: boolean}
                  maxSurge: {format: int-or-string, oneOf: [{type: integer}, {type: string}]}
                  limits: {type: object, additionalProperties: {$ref: '#/components/schemas/Quantity'}}
                  free: {type: object, additionalProperties: true}
                  names: {type: array, items: {type: string}}
                  same: {$ref: '#/components/schemas/Deployment'}
          Meta:
            type: object
            properties:
              name: {type: string}
              generateName: {type: string}
              namespace: {type: string}
              creationTimestamp: {type: string, format: date-time}
          Quantity: {oneOf: [{type: string}, {type: number}]}
          Limit:
            type: object
            properties: {most: {type: integer}}
          """);

  /** Documents that hold one schema for each kind. */
  private record SchemasInMemory(Map<String, String> resources) implements PublishedSchemas {
    @Override
    public Optional<Kind> kind(String group, String version, String resource) {
      return Optional.ofNullable(resources.get(resource))
          .map(name -> new Kind(group, version, name));
    }

    @Override
    public Map<Kind, DeclaredType> declared(List<Kind> kinds) {
      var declared = new LinkedHashMap<Kind, DeclaredType>();
      for (var kind : kinds) {
        if (SCHEMAS.has(kind.name())) {
          declared.put(
              kind, DeclaredType.of(kind.qualified(), SCHEMAS.object(kind.name()), SCHEMAS));
        }
      }
      return declared;
    }
  }

  private static List<ExpressionWarning> check(String spec) {
    return new TypeCheck(
            new SchemasInMemory(Map.of("deployments", "Deployment", "limits", "Limit")))
        .check(Yaml.object(spec));
  }

  private static String policy(String expressions) {
    return """
    matchConstraints:
      resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], resources: [deployments]}
    """
        + expressions;
  }

  private static List<ExpressionWarning> validation(String expression) {
    return check(policy("validations: [{expression: \"" + expression + "\"}]"));
  }

  @Test
  void aFieldThatIsNotThereIsShownWhereItStands() {
    assertThat(validation("object.replicas > 1"))
        .containsExactly(
            new ExpressionWarning(
                "spec.validations[0].expression",
                """
                apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'
                 | object.replicas > 1
                 | ......^
                """));
  }

  @Test
  void aFieldOfAnotherTypeIsToldWithBothTypes() {
    assertThat(validation("object.spec.replicas == 'one'"))
        .singleElement()
        .extracting(ExpressionWarning::warning)
        .asString()
        .startsWith(
            "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_==_'"
                + " applied to '(int, string)'\n");
  }

  @Test
  void whatFitsIsNotMentioned() {
    for (var expression :
        List.of(
            "object.spec.replicas > 1 && !oldObject.spec.paused",
            "object.spec.maxSurge == 1 || object.spec.maxSurge == '25%'",
            "quantity(string(object.spec.limits['cpu'])).isLessThan(quantity('2'))",
            "object.spec.names.all(name, name.startsWith('a'))",
            "object.metadata.namespace == 'a' && has(object.metadata.creationTimestamp)",
            "has(object.spec.same) && object.spec.free == object.spec.free",
            "request.userInfo.username != '' && namespaceObject.metadata.name == 'a'",
            "authorizer.group('').resource('pods').check('create').allowed()",
            "authorizer.requestResource.check('update').allowed()")) {
      assertThat(validation(expression)).as(expression).isEmpty();
    }
  }

  @Test
  void messagesAreCheckedAsValidationsAre() {
    assertThat(
            check(
                policy(
                    "validations: [{expression: 'true'}, {expression: 'true', messageExpression:"
                        + " object.spec.nothing}]")))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.fieldRef()).isEqualTo("spec.validations[1].messageExpression");
              assertThat(found.warning()).contains("undefined field 'nothing'");
            });
  }

  @Test
  void variablesHaveTheTypesOfTheirExpressions() {
    var variables =
        """
        variables:
        - {name: count, expression: object.spec.replicas}
        - {name: wrong, expression: object.nothing}
        """;
    assertThat(check(policy(variables + "validations: [{expression: \"variables.count == 'x'\"}]")))
        .singleElement()
        .extracting(ExpressionWarning::warning)
        .asString()
        .contains("found no matching overload for '_==_' applied to '(int, string)'");
    assertThat(check(policy(variables + "validations: [{expression: variables.wrong == 1}]")))
        .as("what is wrong with a variable is not told where it is used")
        .isEmpty();
    assertThat(check(policy(variables + "validations: [{expression: variables.other}]")))
        .singleElement()
        .extracting(ExpressionWarning::warning)
        .asString()
        .contains("undefined field 'other'");
  }

  @Test
  void parametersHaveTheTypeOfTheirKind() {
    var kind = "paramKind: {apiVersion: example.com/v1, kind: Limit}\n";
    assertThat(
            check(
                policy(kind + "validations: [{expression: object.spec.replicas <= params.most}]")))
        .isEmpty();
    assertThat(check(policy(kind + "validations: [{expression: params.least == 1}]")))
        .singleElement()
        .extracting(ExpressionWarning::warning)
        .asString()
        .contains("undefined field 'least'");
    assertThat(
            check(
                policy(
                    "paramKind: {apiVersion: example.com/v1, kind: Nowhere}\n"
                        + "validations: [{expression: params.least == 1}]")))
        .as("nothing is known of a kind that is not served")
        .isEmpty();
  }

  @Test
  void eachKindThatAnExpressionDoesNotFitToIsNamed() {
    var found =
        check(
            """
            matchConstraints:
              resourceRules:
              - {apiGroups: [apps], apiVersions: [v1], resources: [limits, deployments]}
            validations: [{expression: object.nothing}, {expression: object.spec.replicas > 1}]
            """);
    assertThat(found).hasSize(2);
    assertThat(found.get(0).warning())
        .startsWith("apps/v1, Kind=Deployment: ERROR")
        .contains("^\n\napps/v1, Kind=Limit: ERROR")
        .endsWith("^\n");
    assertThat(found.get(1).warning()).startsWith("apps/v1, Kind=Limit: ERROR");
  }

  @Test
  void wildcardsAndSubresourcesNameNoKind() {
    for (var rule :
        List.of(
            "{apiGroups: ['*'], apiVersions: [v1], resources: [deployments]}",
            "{apiGroups: [apps], apiVersions: ['*'], resources: [deployments]}",
            "{apiGroups: [apps], apiVersions: [v1], resources: ['*', deployments/scale]}")) {
      assertThat(
              check(
                  "{matchConstraints: {resourceRules: ["
                      + rule
                      + "]}, validations: [{expression: object.nothing}]}"))
          .isEmpty();
    }
  }

  @Test
  void noMoreThanTenKindsOfARuleAreChecked() {
    var served = new LinkedHashMap<String, String>();
    IntStream.range(10, 30).forEach(i -> served.put("r" + i, "R" + i));
    var kinds =
        MatchedKinds.of(
            Yaml.object(
                "{matchConstraints: {resourceRules: [{apiGroups: [g], apiVersions: [v1],"
                    + " resources: ["
                    + String.join(", ", served.keySet())
                    + "]}]}}"),
            new SchemasInMemory(served));
    assertThat(kinds).extracting(Kind::name).hasSize(10).startsWith("R10").endsWith("R19");
  }
}
