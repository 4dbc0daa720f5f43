package dev.muster.validation.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookRulesTest {
  private static final Verdicts VALIDATING = new Verdicts(WebhookRules.VALIDATING, false);
  private static final Verdicts MUTATING = new Verdicts(WebhookRules.MUTATING, false);
  private static final String CLIENT = "'clientConfig':{'service':{'namespace':'a','name':'b'}}";
  private static final String REST = ",'sideEffects':'None','admissionReviewVersions':['v1']";

  private static String hook(String fields) {
    return "{'webhooks':[{" + fields + "}]}";
  }

  private static String hooked(String more) {
    return hook("'name':'a.example.com'," + CLIENT + REST + more);
  }

  @Test
  void everythingThatIsLeftOutIsFilledIn() {
    var hook =
        MUTATING.prepared(hooked(",'rules':[{'operations':['*']}]")).array("webhooks").object(0);
    assertThat(hook.string("failurePolicy")).isEqualTo("Fail");
    assertThat(hook.string("matchPolicy")).isEqualTo("Equivalent");
    assertThat(hook.string("reinvocationPolicy")).isEqualTo("Never");
    assertThat(hook.integer("timeoutSeconds", 0)).isEqualTo(10);
    assertThat(hook.has("namespaceSelector")).isTrue();
    assertThat(hook.object("clientConfig", "service").integer("port", 0)).isEqualTo(443);
    assertThat(hook.array("rules").object(0).string("scope")).isEqualTo("*");
    assertThat(VALIDATING.prepared(hooked("")).array("webhooks").object(0).keys())
        .doesNotContain("reinvocationPolicy");
  }

  @Test
  void namesAreQualifiedAndUnique() {
    var other = "{'name':'a.example.com'," + CLIENT + REST + "}";
    assertThat(VALIDATING.create("{'webhooks':[" + other + "," + other + "]}"))
        .containsExactly("webhooks[1].name: Duplicate value: \"a.example.com\"");
    assertThat(VALIDATING.create(hook("'name':'short'," + CLIENT + REST)))
        .containsExactly(
            "webhooks[0].name: Invalid value: \"short\": should be a domain with at least three"
                + " segments separated by dots");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'failurePolicy':'x'      | failurePolicy: Unsupported value: "x": supported values: "Fail", "Ignore"
          'failurePolicy':''       | failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"
          'matchPolicy':'x'        | matchPolicy: Unsupported value: "x": supported values: "Equivalent", "Exact"
          'reinvocationPolicy':'x' | reinvocationPolicy: Unsupported value: "x": supported values: "IfNeeded", "Never"
          'sideEffects':'Some'     | sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"
          'timeoutSeconds':31      | timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds
          """,
      quoteCharacter = '`')
  void choicesAreLimited(String field, String error) {
    assertThat(
            MUTATING.create(
                hook(
                    "'name':'a.example.com','admissionReviewVersions':['v1'],'sideEffects':'None',"
                        + CLIENT
                        + ","
                        + field)))
        .containsExactly("webhooks[0]." + error);
  }

  @Test
  void rulesNameWhatTheyAreAbout() {
    assertThat(VALIDATING.create(hooked(",'rules':[{}]")))
        .containsExactly(
            "webhooks[0].rules[0].operations: Required value",
            "webhooks[0].rules[0].apiGroups: Required value",
            "webhooks[0].rules[0].apiVersions: Required value",
            "webhooks[0].rules[0].resources: Required value");
    assertThat(
            VALIDATING.create(
                hooked(
                    ",'rules':[{'operations':['*'],'apiGroups':[''],'apiVersions':['v1'],"
                        + "'resources':['pods/*','pods/log','*/scale','a/scale','*','b']}]")))
        .containsExactly(
            "webhooks[0].rules[0].resources[1]: Invalid value: \"pods/log\": if 'pods/*' is"
                + " present, must not specify pods/log",
            "webhooks[0].rules[0].resources[3]: Invalid value: \"a/scale\": if '*/scale' is"
                + " present, must not specify a/scale",
            "webhooks[0].rules[0].resources: Invalid value:"
                + " [\"pods/*\",\"pods/log\",\"*/scale\",\"a/scale\",\"*\",\"b\"]: if '*' is"
                + " present, must not specify other resources without subresources");
  }

  @Test
  void aWebhookIsInOnePlace() {
    var name = "'name':'a.example.com'";
    assertThat(VALIDATING.create(hook(name + REST)))
        .containsExactly(
            "webhooks[0].clientConfig: Required value: exactly one of url or service is required");
    assertThat(
            VALIDATING.create(hook(name + REST + ",'clientConfig':{'url':'https://u:p@h/?q=1#f'}")))
        .containsExactly(
            "webhooks[0].clientConfig.url: Invalid value: \"u:p\": user information is not"
                + " permitted in the URL",
            "webhooks[0].clientConfig.url: Invalid value: \"f\": fragments are not permitted in the"
                + " URL",
            "webhooks[0].clientConfig.url: Invalid value: \"q=1\": query parameters are not"
                + " permitted in the URL");
    assertThat(VALIDATING.create(hook(name + REST + ",'clientConfig':{'url':'https://h:x'}")))
        .containsExactly(
            "webhooks[0].clientConfig.url: Required value: url must be a valid URL: parse"
                + " \"https://h:x\": invalid port \":x\" after host; desired format:"
                + " https://host[/path]");
    assertThat(
            VALIDATING.create(
                hook(
                    name
                        + REST
                        + ",'clientConfig':{'service':{'namespace':'a','name':'b',"
                        + "'path':'/a//b'}}")))
        .containsExactly(
            "webhooks[0].clientConfig.service.path: Invalid value: \"/a//b\": segment[1] may not be"
                + " empty");
  }

  @Test
  void conditionsAreExpressionsWithNames() {
    assertThat(
            VALIDATING.create(
                hooked(
                    ",'matchConditions':[{'name':'a','expression':'1'},"
                        + "{'name':'a','expression':''},{'name':'b','expression':'params.x'}]")))
        .containsExactly(
            "webhooks[0].matchConditions[0].expression: Invalid value: \"1\": must evaluate to bool"
                + " but got int",
            "webhooks[0].matchConditions[1].expression: Required value",
            "webhooks[0].matchConditions[1].name: Duplicate value: \"a\"",
            "webhooks[0].matchConditions[2].expression: Invalid value: \"params.x\": compilation"
                + " failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')"
                + "\n | params.x\n | ^");
  }

  @Test
  void whatAnOlderServerLetInMayStay() {
    var old =
        hook(
            "'name':'a.example.com',"
                + CLIENT
                + ",'sideEffects':'Unknown',"
                + "'admissionReviewVersions':['v9'],'matchConditions':[{'name':'x','expression':'('}]");
    assertThat(VALIDATING.create(old)).hasSize(3);
    assertThat(VALIDATING.update(old, old)).isEmpty();
  }
}
