package dev.muster.admission;

import static dev.muster.admission.Plugins.CONFIG_MAPS;
import static dev.muster.admission.Plugins.PODS;
import static dev.muster.admission.Plugins.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A webhook on a network that is only a list of answers. */
class ImagePolicyWebhookTest {
  private static final JsonObject POD =
      json(
          "{'metadata':{'name':'p','namespace':'a','annotations':{'x':'1',"
              + "'team.image-policy.k8s.io/ticket':'7'}},'spec':{'containers':[{'image':'good'}],"
              + "'initContainers':[{'image':'init'}]}}");

  @TempDir private Path folder;
  private final Plugins plugins = new Plugins();
  private final List<JsonObject> asked = new ArrayList<>();
  private final Deque<WebhookResponse> answers = new ArrayDeque<>();

  @BeforeEach
  void network() throws IOException {
    Files.writeString(
        folder.resolve("images.yaml"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: images, user: us}}]
        clusters: [{name: images, cluster: {server: 'https://images.example.com/policy'}}]
        users: [{name: us, user: {token: t}}]
        """);
    plugins.webhooks =
        call -> {
          asked.add((JsonObject) JsonReader.read(call.body()));
          if (answers.isEmpty()) {
            throw call.failure("dial tcp: connection refused");
          }
          return answers.remove();
        };
  }

  private Admission plugin(String settings) throws IOException {
    plugins.configuration =
        AdmissionConfiguration.read(
            Files.writeString(
                folder.resolve("admission.yaml"),
                """
                apiVersion: apiserver.config.k8s.io/v1
                kind: AdmissionConfiguration
                plugins:
                - name: ImagePolicyWebhook
                  configuration: {imagePolicy: {kubeConfigFile: images.yaml%s}}
                """
                    .formatted(settings)));
    return plugins.plugin("ImagePolicyWebhook");
  }

  private void answer(String status) {
    answer(
        200,
        "{'apiVersion':'imagepolicy.k8s.io/v1alpha1','kind':'ImageReview','status':"
            + status
            + "}");
  }

  private void answer(int code, String body) {
    answers.add(
        new WebhookResponse(
            code, "application/json", body.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theWebhookIsShownImagesAndItsOwnAnnotations() throws Exception {
    answer("{'allowed':true}");
    plugin("").validate(plugins.requests.create(PODS, POD));
    assertThat(asked)
        .containsExactly(
            json(
                "{'kind':'ImageReview','apiVersion':'imagepolicy.k8s.io/v1alpha1','metadata':{},"
                    + "'spec':{'containers':[{'image':'good'},{'image':'init'}],'annotations':"
                    + "{'team.image-policy.k8s.io/ticket':'7'},'namespace':'a'},"
                    + "'status':{'allowed':false}}"));
  }

  @Test
  void whatItRefusesIsRefusedWithItsReason() throws Exception {
    var plugin = plugin("");
    var request = plugins.requests.create(PODS, POD);
    answer("{'allowed':false,'reason':'not signed'}");
    assertThatThrownBy(() -> plugin.validate(request))
        .hasMessage(
            "pods \"p\" is forbidden: image policy webhook backend denied one or more images:"
                + " not signed");
    plugins.now = plugins.now.plusSeconds(31);
    answer("{'allowed':false}");
    assertThatThrownBy(() -> plugin.validate(request))
        .hasMessage("pods \"p\" is forbidden: one or more images rejected by webhook backend");
  }

  @Test
  void answersCountForAWhile() throws Exception {
    var plugin = plugin(", allowTTL: 60, denyTTL: -1");
    var request = plugins.requests.create(PODS, POD);
    answer("{'allowed':true}");
    plugin.validate(request);
    plugins.now = plugins.now.plusSeconds(59);
    plugin.validate(request);
    assertThat(asked).hasSize(1);
    plugins.now = plugins.now.plusSeconds(1);
    answer("{'allowed':false}");
    answer("{'allowed':false}");
    assertThatThrownBy(() -> plugin.validate(request)).hasMessageContaining("rejected");
    assertThatThrownBy(() -> plugin.validate(request)).hasMessageContaining("rejected");
    assertThat(asked).as("a no is not remembered").hasSize(3);
  }

  @Test
  void failuresThatMayPassAreTriedAgain() throws Exception {
    var plugin = plugin(", retryBackoff: 1");
    answer(500, "{}");
    answer(429, "{}");
    answer("{'allowed':true}");
    plugin.validate(plugins.requests.create(PODS, POD));
    assertThat(asked).hasSize(3);
  }

  @Test
  void whoCannotBeAskedRefusesUnlessToldOtherwise() throws Exception {
    var request = plugins.requests.create(PODS, POD);
    var closed = plugin("");
    assertThatThrownBy(() -> closed.validate(request))
        .hasMessageStartingWith("pods \"p\" is forbidden: Post \"https://images.example.com/policy")
        .hasMessageEndingWith("dial tcp: connection refused");
    answer(400, "{}");
    assertThatThrownBy(() -> closed.validate(request))
        .hasMessage(
            "pods \"p\" is forbidden: the server rejected our request for an unknown reason");
    assertThat(plugin(", defaultAllow: true").validate(request)).isEmpty();
  }

  @Test
  void aRequestWhoseOwnTimeHasRunOutIsTooLate() throws Exception {
    var request = plugins.requests.within(Duration.ZERO).create(PODS, POD);
    for (var settings : List.of("", ", defaultAllow: true")) {
      var plugin = plugin(settings);
      assertThatThrownBy(() -> plugin.validate(request))
          .isInstanceOfSatisfying(
              ApiException.class, answer -> assertThat(answer.reason()).isEqualTo(Reason.TIMEOUT));
    }
  }

  @Test
  void onlyPodsAndTheirEphemeralContainersAreAskedAbout() throws Exception {
    var plugin = plugin("");
    plugin.validate(plugins.requests.create(CONFIG_MAPS, POD));
    assertThat(asked).isEmpty();
  }

  @Test
  void aConfigurationThatCannotBeUsedIsRefused() {
    assertThatThrownBy(() -> plugin(", allowTTL: 3600"))
        .hasMessage(
            "--admission-control-config-file: ImagePolicyWebhook: imagePolicy.allowTTL: valid"
                + " value is between 1s and 30m0s, got 1h0m0s");
    assertThatThrownBy(() -> plugin(", cache: 1"))
        .hasMessageEndingWith("unknown field \"imagePolicy.cache\"");
    assertThatThrownBy(() -> plugin(", defaultAllow: maybe")).hasMessageContaining("boolean");
    plugins.configuration = AdmissionConfiguration.NONE;
    assertThatThrownBy(() -> plugins.plugin("ImagePolicyWebhook"))
        .hasMessage("--admission-control-config-file: ImagePolicyWebhook: no config specified");
  }
}
