package dev.muster.validation.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.validation.core.Verdicts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SigningRequestRulesTest {
  private static final Verdicts REQUEST = new Verdicts(SigningRequestRules.STRATEGY, false);
  private static final String PEM =
      Base64.getEncoder()
          .encodeToString(
              SignedRequests.pem("CERTIFICATE REQUEST", SignedRequests.elliptic())
                  .getBytes(StandardCharsets.UTF_8));

  private static String request(String signer, String members) {
    return "{'spec':{'request':'%s','signerName':'%s','usages':['client auth']%s}}"
        .formatted(PEM, signer, members);
  }

  private static final String GOOD = request("example.com/signer", "");

  private static String condition(String type, String status) {
    return "{'type':'" + type + "','status':'" + status + "'}";
  }

  private static JsonObject conditions(String conditions) {
    return REQUEST
        .prepared(GOOD)
        .with("status", Verdicts.json("{'conditions':[" + conditions + "]}"));
  }

  private static List<String> approval(JsonObject old, JsonObject sent) {
    var errors = new ArrayList<FieldError>();
    var prepared = SigningRequestRules.prepareForApproval(sent, old);
    SigningRequestRules.validateApproval(prepared, old, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  private static List<String> status(JsonObject old, JsonObject sent) {
    var errors = new ArrayList<FieldError>();
    var strategy = SigningRequestRules.STRATEGY;
    strategy.validateStatusUpdate(strategy.prepareForStatusUpdate(sent, old), old, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "nodomain | Invalid value: \"nodomain\": must be a fully qualified domain and path of the"
            + " form 'example.com/signer-name'",
        "a/b | Invalid value: \"a\": should be a domain with at least two segments separated by"
            + " dots",
        "kubernetes.io/legacy-unknown | Invalid value: \"kubernetes.io/legacy-unknown\": the legacy"
            + " signerName is not allowed via this API version",
        "Example.com/a | Invalid value: \"Example.com\": validating label \"Example\": a lowercase"
            + " RFC 1123 label must consist of lower case alphanumeric characters or '-', and must"
            + " start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex"
            + " used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      })
  void aSignerHasADomainAndAName(String signer, String error) {
    assertThat(REQUEST.create(request(signer, ""))).containsExactly("spec.signerName: " + error);
  }

  @Test
  void aRequestHasASignerAndUsages() {
    assertThat(REQUEST.create(GOOD)).isEmpty();
    assertThat(REQUEST.create("{'spec':{'request':'aGVsbG8='}}"))
        .containsExactly(
            "spec.request: Invalid value: \"aGVsbG8=\": PEM block type must be CERTIFICATE REQUEST",
            "spec.usages: Required value",
            "spec.signerName: Required value");
    assertThat(REQUEST.create(request("example.com/s", ",'expirationSeconds':599")))
        .containsExactly(
            "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600"
                + " seconds (10 minutes)");
  }

  @Test
  void usagesAreKnownAndDiffer() {
    assertThat(REQUEST.create(GOOD.replace("'client auth'", "'client auth','fly','client auth'")))
        .hasSize(2)
        .anyMatch(
            error -> error.startsWith("spec.usages[1]: Unsupported value: \"fly\": supported"))
        .contains("spec.usages[2]: Duplicate value: \"client auth\"");
  }

  @Test
  void nobodyAsksInSomebodyElsesName() {
    var user = new User("jane", "7", List.of("dev"), Map.of("k", List.of("v")));
    var spec =
        SigningRequestRules.STRATEGY
            .withRequester(Verdicts.json("{'spec':{'username':'root','groups':['x']}}"), user)
            .object("spec");
    assertThat(spec.toString())
        .isEqualTo(
            "{\"username\":\"jane\",\"uid\":\"7\",\"groups\":[\"dev\"],\"extra\":{\"k\":[\"v\"]}}");
  }

  @Test
  void whatWasAskedForStays() {
    var old = REQUEST.prepared(GOOD);
    var sent =
        old.with("spec", JsonObject.EMPTY).with("status", Verdicts.json("{'certificate':'YQ=='}"));
    assertThat(SigningRequestRules.STRATEGY.prepareForUpdate(sent, old)).isEqualTo(old);
  }

  @Test
  void anApprovalIsForever() {
    var old = REQUEST.prepared(GOOD);
    var approved =
        SigningRequestRules.prepareForApproval(conditions(condition("Approved", "True")), old);
    var made = approved.object("status").array("conditions").objects().getFirst();
    assertThat(made.string("lastUpdateTime")).isNotEmpty();
    assertThat(made.string("lastTransitionTime")).isNotEmpty();
    assertThat(approval(approved, conditions("")))
        .containsExactly(
            "status.conditions: Forbidden: updates may not remove a condition of type"
                + " \"Approved\"");
    assertThat(
            approval(
                approved,
                conditions(condition("Approved", "True") + "," + condition("Denied", "True"))))
        .containsExactly(
            "status.conditions: Invalid value: \"Denied\": Approved and Denied conditions are"
                + " mutually exclusive");
  }

  @Test
  void conditionsAreChecked() {
    var old = REQUEST.prepared(GOOD);
    assertThat(approval(old, conditions(condition("Denied", "False"))))
        .containsExactly(
            "status.conditions[0].status: Unsupported value: \"False\": supported values:"
                + " \"True\"");
    assertThat(approval(old, conditions(condition("", "Maybe"))))
        .containsExactly(
            "status.conditions[0].type: Required value",
            "status.conditions[0].status: Unsupported value: \"Maybe\": supported values:"
                + " \"False\", \"True\", \"Unknown\"");
    assertThat(approval(old, conditions(condition("A", "True") + "," + condition("A", ""))))
        .containsExactly(
            "status.conditions[1].status: Required value",
            "status.conditions[1].type: Duplicate value: \"A\"");
  }

  @Test
  void theStatusApprovesNothing() {
    var old = REQUEST.prepared(GOOD);
    assertThat(status(old, conditions(condition("Approved", "True"))))
        .containsExactly(
            "status.conditions: Forbidden: updates may not add a condition of type \"Approved\"");
    assertThat(status(old, conditions(condition("Failed", "True")))).isEmpty();
  }

  @Test
  void certificatesAreIssuedOnceAndThroughTheStatus() {
    var old = REQUEST.prepared(GOOD).with("status", Verdicts.json("{'certificate':'YQ=='}"));
    assertThat(status(old, old.without("status")))
        .containsExactly(
            "status.certificate: Forbidden: updates may not modify existing certificate content");
    assertThat(approval(old, REQUEST.prepared(GOOD))).isEmpty();
    var none = REQUEST.prepared(GOOD);
    assertThat(status(none, old))
        .containsExactly(
            "status.certificate: Invalid value: \"<certificate data>\": must contain at least one"
                + " CERTIFICATE PEM block");
  }
}
