package dev.muster.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is a policy, and what is said of what is none. */
class AuditPolicyReaderTest {
  private static final String HEAD = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";
  private static final String VALID =
      HEAD
          + """
          metadata: {name: all}
          omitStages: [RequestReceived]
          omitManagedFields: true
          rules:
          - level: None
            users: ["system:kube-proxy"]
            verbs: [watch]
            resources:
            - group: "" # core
              resources: [endpoints, services, "services/status", "*/scale", "pods/*"]
              resourceNames: [a]
          - level: Metadata
            userGroups: ["system:authenticated"]
            nonResourceURLs: ["/api*", "/version"]
          - level: RequestResponse
            namespaces: [kube-system, ""]
            omitStages: [ResponseStarted, Panic]
            omitManagedFields: false
          """;

  private static AuditPolicy read(String text) {
    return AuditPolicyReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsAllFields() {
    var policy = read(VALID);
    assertThat(policy.rules()).hasSize(3);
    assertThat(policy.rules().getFirst().resources().getFirst().names()).containsExactly("a");
    assertThat(policy.rules().getLast().decision().level()).isEqualTo(AuditLevel.REQUEST_RESPONSE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rules: [{}]|rules[0].level: Required value",
        "rules: [{level: Loud}]|rules[0].level: Unsupported value: \"Loud\": supported values:"
            + " \"None\", \"Metadata\", \"Request\", \"RequestResponse\"",
        "rules: [{level: None, nonResourceURLs: [api]}]|rules[0].nonResourceURLs[0]: Invalid"
            + " value: \"api\": non-resource URL rules must begin with a '/' character",
        "rules: [{level: None, nonResourceURLs: [/a/*/b]}]|rules[0].nonResourceURLs[0]: Invalid"
            + " value: \"/a/*/b\": non-resource URL wildcards '*' must be the final character of"
            + " the rule",
        "rules: [{level: None, nonResourceURLs: [/a], namespaces: [b]}]|rules[0].nonResourceURLs:"
            + " Invalid value: [\"/a\"]: rules cannot apply to both regular resources and"
            + " non-resource URLs",
        "rules: [{level: None, resources: [{resourceNames:"
            + " [a]}]}]|rules[0].resources.resourceNames: Invalid value: [\"a\"]: using"
            + " resourceNames requires at least one resource",
        "rules: [{level: None, omitStages: [Late]}]|rules[0].omitStages[0]: Invalid value:"
            + " \"Late\": allowed stages are"
            + " RequestReceived,ResponseStarted,ResponseComplete,Panic",
        "rules: []|loaded illegal policy with 0 rules",
        "rules: [{level: None, user: [a]}]|failed decoding: strict decoding error: unknown field"
            + " \"rules[0].user\"",
        "rules: [{level: None, users: a}]|failed decoding: rules[0].users must be a list and is"
            + " string",
        "rules: [{level: None, users: [1]}]|failed decoding: rules[0].users[0] must be a string"
            + " and is number",
        "rules: [{level: None, omitManagedFields: 1}]|failed decoding: rules[0].omitManagedFields"
            + " must be true or false and is number",
        "rules: {}|failed decoding: rules must be a list and is object"
      })
  void saysWhatIsWrong(String text, String problem) {
    assertThatThrownBy(() -> read(HEAD + text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(problem);
  }

  @Test
  void refusesGroupsThatAreNone() {
    assertThatThrownBy(() -> read(HEAD + "rules: [{level: None, resources: [{group: apps/v1}]}]"))
        .hasMessageStartingWith(
            "rules[0].resources.group: Invalid value: \"apps/v1\": a lowercase");
  }

  @Test
  void refusesOtherKindsAndVersions() {
    assertThatThrownBy(() -> read("apiVersion: audit.k8s.io/v1beta1\nkind: Policy\nrules: []\n"))
        .hasMessageContaining("version \"audit.k8s.io/v1beta1\"");
    assertThatThrownBy(() -> read("rules: [{level: None}]"))
        .hasMessageContaining("no kind \"\" is registered for version \"\"");
    assertThatThrownBy(() -> read("")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> read("[]")).hasMessageContaining("holds no object");
  }

  @Test
  void namesAllMistakesAtOnce() {
    assertThatThrownBy(() -> read(HEAD + "rules: [{}, {level: Loud}]"))
        .hasMessageContaining("[rules[0].level: Required value, rules[1].level: ");
  }

  @Test
  void whateverAFileHoldsIsAPolicyOrRefusedWithOneLine() {
    var random = new Random(20260102);
    var alphabet = "{}[]:,-*\"'&!|>%@\n\t #0aé\u0000\u2028";
    int policies = 0;
    for (int i = 0; i < 5_000; i++) {
      var text = new StringBuilder(VALID);
      for (int change = random.nextInt(1, 4); change > 0; change--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(4)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, alphabet.charAt(random.nextInt(alphabet.length())));
          case 2 -> text.setCharAt(at, alphabet.charAt(random.nextInt(alphabet.length())));
          default -> text.delete(at, Math.min(text.length(), at + random.nextInt(1, 30)));
        }
      }
      try {
        read(text.toString())
            .decide(Attributes.path(User.of("u"), "get", "/x"), random.nextBoolean());
        policies++;
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as(text.toString()).isNotBlank();
      }
    }
    assertThat(policies).isPositive();
  }
}
