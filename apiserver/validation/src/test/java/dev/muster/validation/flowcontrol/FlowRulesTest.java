package dev.muster.validation.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.core.Verdicts;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowRulesTest {
  private static final Verdicts SCHEMA = new Verdicts(FlowSchemaRules.STRATEGY, false);
  private static final Verdicts LEVEL = new Verdicts(PriorityLevelRules.STRATEGY, false);

  private static String schema(String rest) {
    return "{'spec':{'priorityLevelConfiguration':{'name':'low'}" + rest + "}}";
  }

  private static String limited(String rest) {
    return "{'spec':{'type':'Limited','limited':{" + rest + "}}}";
  }

  @Test
  void schemasHaveAPrecedence() {
    var schema = SCHEMA.prepared(schema(""));
    assertThat(schema.object("spec").integer("matchingPrecedence", 0)).isEqualTo(1000);
    assertThat(schema.object("metadata").integer("generation", 0)).isEqualTo(1);
    assertThat(SCHEMA.create("{}"))
        .containsExactly(
            "spec.priorityLevelConfiguration.name: Required value: must reference a priority"
                + " level");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -1    | must be a positive value
          10001 | must not be greater than 10000
          1     | only the schema named 'exempt' may have matchingPrecedence 1
          """)
  void precedencesHaveBounds(int precedence, String detail) {
    assertThat(SCHEMA.create(schema(",'matchingPrecedence':" + precedence)))
        .containsExactly("spec.matchingPrecedence: Invalid value: " + precedence + ": " + detail);
  }

  @Test
  void theWayToTellFlowsApartIsShownWhole() {
    assertThat(SCHEMA.create(schema(",'distinguisherMethod':{'type':'ByColour'}")))
        .containsExactly(
            "spec.distinguisherMethod.type: Unsupported value: {\"Type\":\"ByColour\"}: supported"
                + " values: \"ByNamespace\", \"ByUser\"");
  }

  @Test
  void subjectsHaveWhatTheirKindNeedsAndNothingElse() {
    var rules =
        """
        ,'rules':[{'nonResourceRules':[{'verbs':['*'],'nonResourceURLs':['/']}],'subjects':[
          {'kind':'User'},
          {'kind':'Group','group':{'name':''},'user':{'name':'u'}},
          {'kind':'ServiceAccount','serviceAccount':{'name':'*','namespace':'N'}},
          {'kind':'ServiceAccount','serviceAccount':{}},
          {'kind':'Robot'}]},
         {}]
        """;
    assertThat(SCHEMA.create(schema(rules)))
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.rules[0].subjects[0].user: Required value: user is required when"
                            + " subject kind is 'User'"),
            one ->
                assertThat(one).isEqualTo("spec.rules[0].subjects[1].group.name: Required value"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.rules[0].subjects[1].user: Forbidden: user is forbidden when subject"
                            + " kind is not 'User'"),
            one ->
                assertThat(one)
                    .startsWith(
                        "spec.rules[0].subjects[2].serviceAccount.namespace: Invalid value:"
                            + " \"N\": a lowercase RFC 1123 label"),
            one ->
                assertThat(one)
                    .isEqualTo("spec.rules[0].subjects[3].serviceAccount.name: Required value"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.rules[0].subjects[3].serviceAccount.namespace: Required value: must"
                            + " specify namespace for service account"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.rules[0].subjects[4].kind: Unsupported value: \"Robot\": supported"
                            + " values: \"Group\", \"ServiceAccount\", \"User\""),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.rules[1].subjects: Required value: subjects must contain at least"
                            + " one value"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.rules[1]: Required value: at least one of resourceRules and"
                            + " nonResourceRules has to be non-empty"));
  }

  @Test
  void whatIsEverythingStandsAlone() {
    var rules =
        """
        ,'rules':[{'subjects':[{'kind':'User','user':{'name':'u'}}],'resourceRules':[
          {'verbs':['get','*'],'apiGroups':['*','a'],'resources':['*','b'],'namespaces':['*','c']},
          {'verbs':['fly'],'apiGroups':[''],'resources':['pods'],'clusterScope':true}]}]
        """;
    var rule = "spec.rules[0].resourceRules[0].";
    assertThat(SCHEMA.create(schema(rules)))
        .containsExactly(
            rule
                + "verbs: Invalid value: [\"get\",\"*\"]: if '*' is present, must not specify other"
                + " verbs",
            rule
                + "apiGroups: Invalid value: [\"*\",\"a\"]: if '*' is present, must not specify"
                + " other api groups",
            rule
                + "resources: Invalid value: [\"*\",\"b\"]: if '*' is present, must not specify"
                + " other resources",
            rule
                + "namespaces: Invalid value: [\"*\",\"c\"]: if '*' is present, must not specify"
                + " other namespaces",
            "spec.rules[0].resourceRules[1].verbs: Unsupported value: [\"fly\"]: supported values:"
                + " \"create\", \"delete\", \"deletecollection\", \"get\", \"list\", \"patch\","
                + " \"proxy\", \"update\", \"watch\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a     | must start with slash
          /a b  | must not contain white-space
          //a   | must not contain double slash
          /a*   | wildcard can only do suffix matching
          /*/a  | wildcard can only do suffix matching
          ''    | must not be empty
          """)
  void pathsHaveAForm(String path, String detail) {
    var rules =
        ",'rules':[{'subjects':[{'kind':'User','user':{'name':'u'}}],"
            + "'nonResourceRules':[{'verbs':['get'],'nonResourceURLs':['"
            + path
            + "']}]}]";
    assertThat(SCHEMA.create(schema(rules)))
        .containsExactly(
            "spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: \""
                + path
                + "\": "
                + detail);
  }

  @Test
  void whatEveryClusterHasStaysAsItIs() {
    assertThat(
            SCHEMA.create(
                "{'metadata':{'name':'exempt'},'spec':{'matchingPrecedence':1,"
                    + "'priorityLevelConfiguration':{'name':'exempt'}}}"))
        .singleElement()
        .asString()
        .startsWith("spec: Invalid value: ")
        .endsWith("spec of 'exempt' must equal the fixed value");
    assertThat(
            LEVEL.create(
                "{'metadata':{'name':'catch-all'},'spec':{'type':'Limited','limited':{"
                    + "'nominalConcurrencyShares':6,'limitResponse':{'type':'Reject'}}}}"))
        .singleElement()
        .asString()
        .endsWith("spec of 'catch-all' must equal the fixed value");
    assertThat(
            LEVEL.create(
                "{'metadata':{'name':'exempt'},'spec':{'type':'Exempt','exempt':{"
                    + "'nominalConcurrencyShares':9}}}"))
        .isEmpty();
  }

  @Test
  void levelsHaveSharesAndQueues() {
    var level =
        LEVEL.prepared(limited("'limitResponse':{'type':'Queue','queuing':{}}")).object("spec");
    assertThat(level.object("limited"))
        .hasToString(
            "{\"limitResponse\":{\"type\":\"Queue\",\"queuing\":{\"queues\":64,\"handSize\":8,"
                + "\"queueLengthLimit\":50}},\"nominalConcurrencyShares\":30,"
                + "\"lendablePercent\":0}");
  }

  @Test
  void levelsAreOfAKind() {
    assertThat(LEVEL.create("{'spec':{}}")).containsExactly("spec.type: Required value");
    assertThat(LEVEL.create("{'spec':{'type':'Odd'}}"))
        .containsExactly(
            "spec.type: Unsupported value: \"Odd\": supported values: \"Exempt\", \"Limited\"");
    assertThat(LEVEL.create("{'spec':{'type':'Exempt','limited':{}}}"))
        .containsExactly(
            "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is"
                + " 'exempt'",
            "spec.limited: Forbidden: must be nil if the type is not Limited");
    assertThat(LEVEL.create("{'spec':{'type':'Limited','exempt':{}}}"))
        .containsExactly(
            "spec.exempt: Forbidden: must be nil if the type is Limited",
            "spec.limited: Required value: must not be empty when type is Limited");
  }

  @Test
  void numbersOfALevelHaveBounds() {
    assertThat(
            LEVEL.create(
                limited(
                    "'nominalConcurrencyShares':-1,'lendablePercent':101,"
                        + "'borrowingLimitPercent':-1,'limitResponse':{'type':'Reject',"
                        + "'queuing':{}}")))
        .containsExactly(
            "spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative"
                + " integer",
            "spec.limited.limitResponse.queuing: Forbidden: must be nil if"
                + " limited.limitResponse.type is not Limited",
            "spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100,"
                + " inclusive",
            "spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a"
                + " non-negative integer");
    assertThat(
            LEVEL.create(
                limited(
                    "'limitResponse':{'type':'Queue','queuing':{'queues':4,'handSize':5,"
                        + "'queueLengthLimit':-1}}")))
        .containsExactly(
            "spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be"
                + " positive",
            "spec.limited.limitResponse.queuing.handSize: Invalid value: 5: should not be greater"
                + " than queues (4)");
    assertThat(
            LEVEL.create(
                limited("'limitResponse':{'type':'Queue','queuing':{'queues':128,'handSize':9}}")))
        .containsExactly(
            "spec.limited.limitResponse.queuing.handSize: Invalid value: 9: required entropy bits"
                + " of deckSize 128 and handSize 9 should not be greater than 60");
  }

  @Test
  void aStatusUpdateChangesNoMetadata() {
    var old = SCHEMA.prepared(schema(""));
    var changed =
        old.withAt(JsonObject.of("a", "b"), "metadata", "labels")
            .with("status", Verdicts.json("{'conditions':[{'type':'A'},{'type':'A'},{}]}"));
    var updated = FlowSchemaRules.STRATEGY.prepareForStatusUpdate(changed, old);
    assertThat(updated.object("metadata").has("labels")).isFalse();
    var errors = new ArrayList<FieldError>();
    FlowSchemaRules.STRATEGY.validateStatusUpdate(updated, old, errors);
    assertThat(errors.stream().map(Object::toString))
        .containsExactly(
            "status.conditions[1].type: Duplicate value: \"A\"",
            "status.conditions[2].type: Required value");
  }
}
