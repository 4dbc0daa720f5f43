package dev.muster.authorization.modes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.modes.AuthorizationConfiguration.FailurePolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of --authorization-config, right, wrong and broken. */
class ConfigurationFileTest {
  @TempDir Path folder;
  private String valid = "";

  @BeforeEach
  void write() throws IOException {
    var file = Files.writeString(folder.resolve("hook.yaml"), "x");
    valid =
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: AuthorizationConfiguration
        authorizers:
        - type: Webhook
          name: hook
          webhook:
            authorizedTTL: 10s
            unauthorizedTTL: 20s
            cacheUnauthorizedRequests: false
            timeout: 3s
            subjectAccessReviewVersion: v1
            matchConditionSubjectAccessReviewVersion: v1
            failurePolicy: Deny
            connectionInfo:
              type: KubeConfigFile
              kubeConfigFile: %s
            matchConditions:
            - expression: request.user != ''
        - type: Node
          name: node
        - type: RBAC
          name: rbac
        """
            .formatted(file);
  }

  private static AuthorizationConfiguration parse(String text) {
    return ConfigurationFile.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1beta1", "v1alpha1"})
  void everyVersionIsRead(String version) {
    var entries = parse(valid.replace("k8s.io/v1", "k8s.io/" + version)).authorizers();
    assertThat(entries.stream().map(AuthorizationConfiguration.Entry::type))
        .containsExactly(AuthorizerType.WEBHOOK, AuthorizerType.NODE, AuthorizerType.RBAC);
    assertThat(entries.getFirst().webhook())
        .isEqualTo(
            new AuthorizationConfiguration.Webhook(
                Duration.ofSeconds(3),
                Duration.ofSeconds(10),
                Duration.ZERO,
                "v1",
                FailurePolicy.DENY,
                folder.resolve("hook.yaml"),
                List.of("request.user != ''")));
  }

  @Test
  void timesHaveDefaults() {
    var webhook =
        Objects.requireNonNull(
            parse(
                    valid
                        .replace("    authorizedTTL: 10s\n", "")
                        .replace(
                            "    unauthorizedTTL: 20s\n    cacheUnauthorizedRequests: false\n", ""))
                .authorizers()
                .getFirst()
                .webhook());
    assertThat(webhook.authorizedTtl()).isEqualTo(Duration.ofMinutes(5));
    assertThat(webhook.unauthorizedTtl()).isEqualTo(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "timeout: 3s|timeout: 31s|authorizers[0].timeout: Invalid value: \"31s\": must be > 0s and"
            + " <= 30s",
        "timeout: 3s|timeout: -1s|authorizers[0].timeout: Invalid value: \"-1s\": must be > 0s and"
            + " <= 30s",
        "timeout: 3s|timeout: 0s|authorizers[0].timeout: Required value",
        "authorizedTTL: 10s|authorizedTTL: -1s|authorizers[0].authorizedTTL: Invalid value:"
            + " \"-1s\": must be > 0s",
        "subjectAccessReviewVersion: v1|subjectAccessReviewVersion:"
            + " v2|authorizers[0].subjectAccessReviewVersion: Unsupported value: \"v2\": supported"
            + " values: \"v1\", \"v1beta1\"",
        "matchConditionSubjectAccessReviewVersion: v1|matchConditionSubjectAccessReviewVersion:"
            + " \"\"|authorizers[0].matchConditionSubjectAccessReviewVersion: Required value:"
            + " required if match conditions are specified",
        "failurePolicy: Deny|failurePolicy: Allow|authorizers[0].failurePolicy: Unsupported value:"
            + " \"Allow\": supported values: \"NoOpinion\", \"Deny\"",
        "type: KubeConfigFile|type: Other|authorizers[0].connectionInfo.type: Unsupported value:"
            + " \"Other\": supported values: \"InClusterConfig\", \"KubeConfigFile\"",
        "name: hook|name: Hook|authorizers[0].name: Invalid value: \"Hook\": authorizer name is"
            + " invalid: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
            + " characters",
        "name: rbac|name: hook|authorizers[2].name: Duplicate value: \"hook\"",
        "type: RBAC|type: Node|authorizers[2].type: Duplicate value: \"Node\"",
        "type: RBAC|type: Magic|authorizers[2].type: Unsupported value: \"Magic\": supported"
            + " values: \"ABAC\", \"AlwaysAllow\", \"AlwaysDeny\", \"Node\", \"RBAC\", \"Webhook\"",
        "request.user != ''|request.name != ''|authorizers[0].matchConditions[0].expression:"
            + " Invalid value: \"request.name != ''\": compilation failed: ",
        "request.user != ''|request.user|authorizers[0].matchConditions[0].expression: Invalid"
            + " value: \"request.user\": must evaluate to bool but got string",
        "name: node|name: nodes|expected name node for authorizer Node instead of nodes",
        "timeout: 3s|timeOut: 3s|strict decoding error: unknown field"
            + " \"authorizers[0].webhook.timeOut\"",
        "timeout: 3s|timeout: 3|json: cannot unmarshal number into field"
            + " authorizers[0].webhook.timeout of type string",
        "kind: AuthorizationConfiguration|kind: Other|no kind \"Other\" is registered for version"
            + " \"apiserver.config.k8s.io/v1\"",
      })
  void whatIsWrongIsSaid(String right, String wrong, String message) {
    assertThatThrownBy(() -> parse(valid.replaceFirst(Pattern.quote(right), wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void nothingIsNoConfiguration() {
    assertThatThrownBy(() -> parse(""))
        .hasMessage("authorizers: Required value: at least one authorization mode must be defined");
  }

  @Test
  void aReloadCannotTakeAwayWhatWasThere() {
    assertThatThrownBy(
            () ->
                ConfigurationFile.parse(
                    valid
                        .replace("- type: RBAC\n  name: rbac\n", "")
                        .getBytes(StandardCharsets.UTF_8),
                    Set.of(AuthorizerType.RBAC, AuthorizerType.NODE)))
        .hasMessage("missing required types: [RBAC]");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void aBrokenFileIsAlwaysRefusedProperly(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 250; i++) {
      var text = new StringBuilder(valid);
      for (int n = random.nextInt(4); n >= 0; n--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(4)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, (char) (random.nextInt(96) + 32));
          case 2 -> text.insert(at, text.substring(at, Math.min(text.length(), at + 20)));
          default -> text.setLength(Math.max(1, at));
        }
      }
      try {
        assertThat(parse(text.toString()).authorizers()).isNotEmpty();
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).as(text.toString()).isNotBlank();
      }
    }
  }
}
