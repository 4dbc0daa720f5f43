package dev.muster.store.encrypted.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.validation.FieldError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is refused of an EncryptionConfiguration, in kube-apiserver's words. */
class ConfigurationTest {
  private static final String HEAD =
      "{kind: EncryptionConfiguration, apiVersion: apiserver.config.k8s.io/v1, resources: ";
  private static final String KEY = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";

  private static EncryptionConfiguration read(String text) throws EncryptionConfigurationException {
    return EncryptionConfigurationReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> problems(String resources, boolean reload) throws Exception {
    return EncryptionConfigurationRules.check(read(HEAD + resources + "}"), reload).stream()
        .map(FieldError::toString)
        .toList();
  }

  @Test
  void everythingThatCanBeSaidIsRead() throws Exception {
    var read =
        read(
            HEAD
                + "[{resources: [secrets, '*.apps'], providers: [{aesgcm: {keys: [{name: a, secret:"
                + " "
                + KEY
                + "}]}}, {kms: {apiVersion: v2, name: vault, endpoint: 'unix:///run/kms.sock',"
                + " timeout: 5s}}, {identity: {}}]}]}");
    var item = read.resources().getFirst();
    assertThat(item.names()).containsExactly("secrets", "*.apps");
    assertThat(item.providers()).hasSize(3);
    var kms = Objects.requireNonNull(item.providers().get(1).kms());
    assertThat(kms.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(item.providers().get(2).identity()).isTrue();
    assertThat(read.toString()).doesNotContain(KEY);
    assertThat(EncryptionConfigurationRules.check(read, true)).isEmpty();
  }

  @Test
  void aPluginHasDefaults() throws Exception {
    var read =
        read(HEAD + "[{resources: [a], providers: [{kms: {name: x, endpoint: 'unix:///x'}}]}]}");
    var kms = Objects.requireNonNull(read.resources().getFirst().providers().getFirst().kms());
    assertThat(kms.apiVersion()).isEqualTo("v1");
    assertThat(kms.timeout()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | Object 'Kind' is missing in the file",
        "'' | the file holds no object",
        "{kind: EncryptionConfigurations, apiVersion: apiserver.config.k8s.io/v1}"
            + " | no kind \"EncryptionConfigurations\" is registered for version"
            + " \"apiserver.config.k8s.io/v1\"",
        "{kind: EncryptionConfiguration, apiVersion: apiserver.config.k8s.io/v9}"
            + " | no kind \"EncryptionConfiguration\" is registered for version"
            + " \"apiserver.config.k8s.io/v9\"",
      })
  void whatIsNoConfigurationIsRefused(String text, String message) {
    var sent = text.equals("[]") ? "{}" : text;
    assertThatThrownBy(() -> read(sent)).hasMessage(message);
  }

  @Test
  void unknownAndRepeatedFieldsAreRefusedByTheirPlace() {
    assertThatThrownBy(
            () ->
                read(
                    HEAD
                        + "[{resources: [a], providers: [{kms: {pandas: 1}}, {identity: {x: 1}}],"
                        + " more: 2}]}"))
        .hasMessageContaining("strict decoding error: ")
        .hasMessageContaining("unknown field \"resources[0].providers[0].kms.pandas\"")
        .hasMessageContaining("unknown field \"resources[0].providers[1].identity.x\"")
        .hasMessageContaining("unknown field \"resources[0].more\"");
    assertThatThrownBy(() -> read(HEAD + "[{resources: 5}]}"))
        .hasMessage(
            "json: cannot unmarshal number into field resources[0].resources of type slice");
    assertThatThrownBy(() -> read("kind: EncryptionConfiguration\n\tsecret: " + KEY))
        .satisfies(e -> assertThat(e.toString()).doesNotContain(KEY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | resources: Required value: at least one resources is required",
        "[{resources: [], providers: [{identity: {}}]}] | resources[0].resources: Required value:"
            + " at least one resources[0].resources is required",
        "[{resources: [a]}] | resources[0].providers: Required value: at least one"
            + " resources[0].providers is required",
        "[{resources: [Secrets], providers: [{identity: {}}]}] | resources[0].resources[0]: Invalid"
            + " value: \"Secrets\": resource name should not contain capital letters",
        "[{resources: ['*'], providers: [{identity: {}}]}] | resources[0].resources[0]: Invalid"
            + " value: \"*\": use '*.' to encrypt all the resources from core API group or *.* to"
            + " encrypt all resources",
        "[{resources: [serviceipallocations], providers: [{identity: {}}]}] |"
            + " resources[0].resources[0]: Invalid value: \"serviceipallocations\": resources which"
            + " do not have REST API/s cannot be encrypted",
        "[{resources: [x.extensions], providers: [{identity: {}}]}] | resources[0].resources[0]:"
            + " Invalid value: \"x.extensions\": 'extensions' group has been removed and cannot be"
            + " used for encryption",
        "[{resources: ['pods.*'], providers: [{identity: {}}]}] | resources[0].resources[0]:"
            + " Invalid value: \"pods.*\": encrypting the same resource across groups is not"
            + " supported",
        "[{resources: [a, '*.'], providers: [{identity: {}}]}] | resources[0].resources: Invalid"
            + " value: [\"a\",\"*.\"]: using overlapping resources such as 'secrets' and '*.' in"
            + " the same resource list is not allowed as they will be masked",
        "[{resources: [a, a], providers: [{identity: {}}]}] | resources[0].resources: Invalid"
            + " value: [\"a\",\"a\"]: the same resource cannot be specified multiple times",
        "[{resources: [a], providers: [{}]}] | resources[0].providers[0]: Invalid value: provider"
            + " does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox,"
            + " Identity",
        "[{resources: [a], providers: [{aescbc: {}}]}] | resources[0].providers[0].aescbc.keys:"
            + " Required value: at least one keys is required",
        "[{resources: [a], providers: [{aescbc: {keys: [{name: x, secret: '!'}]}}]}] |"
            + " resources[0].providers[0].aescbc.keys[0].secret: Invalid value: \"REDACTED\":"
            + " secrets must be base64 encoded",
        "[{resources: [a], providers: [{secretbox: {keys: [{name: x, secret: AAAA}]}}]}] |"
            + " resources[0].providers[0].secretbox.keys[0].secret: Invalid value: \"REDACTED\":"
            + " secret is not of the expected length, got 3, expected one of [32]",
        "[{resources: [a], providers: [{aesgcm: {keys: [{name: x, secret: AAAA}]}}]}] |"
            + " resources[0].providers[0].aesgcm.keys[0].secret: Invalid value: \"REDACTED\":"
            + " secret is not of the expected length, got 3, expected one of [16 24 32]",
        "[{resources: [a], providers: [{kms: {apiVersion: v3, name: x, endpoint: 'unix:///x'}}]}] |"
            + " resources[0].providers[0].kms.apiVersion: Invalid value: \"v3\": unsupported"
            + " apiVersion apiVersion for KMS provider, only v1 and v2 are supported",
        "[{resources: [a], providers: [{kms: {apiVersion: v2, name: x, endpoint: 'tcp://x'}}]}] |"
            + " resources[0].providers[0].kms.endpoint: Invalid value: \"tcp://x\": unsupported"
            + " scheme \"tcp\" for KMS provider, only unix is supported",
        "[{resources: [a], providers: [{kms: {apiVersion: v2, name: 'x:', endpoint:"
            + " 'unix:///x'}}]}] | resources[0].providers[0].kms.name: Invalid value: \"x:\":"
            + " invalid KMS provider name x:, must not contain ':'",
        "[{resources: [a], providers: [{kms: {apiVersion: v2, name: x, endpoint: 'unix:///x',"
            + " cachesize: 5}}]}] | resources[0].providers[0].kms.cachesize: Invalid value: 5:"
            + " cachesize is not supported in v2",
        "[{resources: [a], providers: [{kms: {apiVersion: v2, name: x, endpoint: 'unix:///x',"
            + " timeout: 0s}}]}] | resources[0].providers[0].kms.timeout: Invalid value: \"0s\":"
            + " timeout should be a positive value",
      })
  void whatKubernetesRefusesIsRefused(String resources, String problem) throws Exception {
    assertThat(problems(resources, false)).containsExactly(problem);
  }

  @Test
  void namesOfPluginsAreUnique() throws Exception {
    var twice =
        "[{resources: [a], providers: [{kms: {apiVersion: v2, name: x, endpoint: 'unix:///x'}},"
            + " {kms: {apiVersion: v2, name: x, endpoint: 'unix:///y'}}]}]";
    assertThat(problems(twice, false))
        .containsExactly(
            "resources[0].providers[1].kms.name: Invalid value: \"x\": duplicate KMS provider name"
                + " x, names must be unique");
  }
}
