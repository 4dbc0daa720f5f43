package dev.muster.admission.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.types.Types;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaticManifestsTest {
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final String POLICY =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata: {name: NAME}
      spec:
        MORE
        matchConstraints:
          resourceRules:
          - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
        validations: [{expression: "object.metadata.name != 'x'"}]
      """;
  private static final String BINDING =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata: {name: NAME}
      spec: {policyName: POLICY, validationActions: [Deny] MORE}
      """;
  private static final String WEBHOOK =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: NAME}
      webhooks:
      - name: a.example.com
        clientConfig: CLIENT
        sideEffects: None
        admissionReviewVersions: [v1]
        rules:
        - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
      """;

  @TempDir private Path folder;
  private final List<String> heard = new ArrayList<>();

  private final StaticManifests.Observer observer =
      new StaticManifests.Observer() {
        @Override
        public void loaded(ManifestPlugin plugin, String hash) {
          heard.add(plugin.pluginName() + " " + hash.substring(0, Math.min(7, hash.length())));
        }

        @Override
        public void failed(ManifestPlugin plugin) {
          heard.add(plugin.pluginName() + " failed");
        }
      };

  private void file(String name, String... documents) throws IOException {
    Files.writeString(folder.resolve(name), String.join("---\n", documents));
  }

  private static String policy(String name, String more) {
    return POLICY
        .replace("NAME", name)
        .replace("MORE", more.isEmpty() ? "failurePolicy: Fail" : more);
  }

  private static String binding(String name, String policy, String more) {
    return BINDING.replace("NAME", name).replace("POLICY", policy).replace("MORE", more);
  }

  private static String webhook(String name, String client) {
    return WEBHOOK.replace("NAME", name).replace("CLIENT", client);
  }

  private StaticManifests load(ManifestPlugin plugin) {
    return new StaticManifests(plugin, folder, TYPES, observer);
  }

  @Test
  void filesAreReadInTheOrderOfNamesWithTheirDefaults() throws IOException {
    file(
        "b.yaml", policy("b.static.k8s.io", ""), binding("b.static.k8s.io", "b.static.k8s.io", ""));
    file("a.yml", policy("a.static.k8s.io", ""));
    file("ignored.txt", "not: yaml: at all");
    var set = load(ManifestPlugin.VALIDATING_POLICIES).get();
    assertThat(set.objects())
        .extracting(policy -> policy.object("metadata").string("name"))
        .containsExactly("a.static.k8s.io", "b.static.k8s.io");
    assertThat(
            set.objects()
                .getFirst()
                .object("spec")
                .object("matchConstraints")
                .string("matchPolicy"))
        .isEqualTo("Equivalent");
    assertThat(set.bindings()).hasSize(1);
    assertThat(set.hash()).startsWith("sha256:");
    assertThat(heard).containsExactly("ValidatingAdmissionPolicy sha256:");
  }

  @Test
  void listsAreTakenApart() throws IOException {
    file(
        "list.json",
        """
        {"apiVersion": "v1", "kind": "List", "items": [
          {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration",
           "metadata": {"name": "w.static.k8s.io"}}]}
        """);
    assertThat(load(ManifestPlugin.VALIDATING_WEBHOOKS).get().objects()).hasSize(1);
  }

  @Test
  void anEmptyFolderHoldsNothing() {
    assertThat(load(ManifestPlugin.MUTATING_POLICIES).get()).isEqualTo(ManifestSet.EMPTY);
  }

  private void assertRefused(ManifestPlugin plugin, String message, String... documents)
      throws IOException {
    file("a.yaml", documents);
    assertThatThrownBy(() -> load(plugin))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatOnlyTheApiCanDoIsRefused() throws IOException {
    var policies = ManifestPlugin.VALIDATING_POLICIES;
    assertRefused(policies, "must have a name ending with \".static.k8s.io\"", policy("plain", ""));
    assertRefused(
        policies,
        "ValidatingAdmissionPolicy \"p.static.k8s.io\": spec.paramKind is not supported for static"
            + " manifests",
        policy("p.static.k8s.io", "paramKind: {apiVersion: v1, kind: ConfigMap}"));
    assertRefused(
        policies,
        "duplicate name \"p.static.k8s.io\"",
        policy("p.static.k8s.io", ""),
        policy("p.static.k8s.io", ""));
    assertRefused(
        policies,
        "binding \"b.static.k8s.io\" references policy \"p.static.k8s.io\" which does not exist in"
            + " the manifest directory",
        binding("b.static.k8s.io", "p.static.k8s.io", ""));
    assertRefused(
        policies,
        "binding \"b.static.k8s.io\": spec.policyName \"p\" must end with \".static.k8s.io\"",
        binding("b.static.k8s.io", "p", ""));
    assertRefused(
        policies,
        "spec.paramRef is not supported for static manifests",
        policy("p.static.k8s.io", ""),
        binding(
            "b.static.k8s.io",
            "p.static.k8s.io",
            ", paramRef: {name: x, parameterNotFoundAction: Deny}"));
    assertRefused(
        ManifestPlugin.VALIDATING_WEBHOOKS,
        "clientConfig.service is not supported for static manifests; use clientConfig.url instead",
        webhook("w.static.k8s.io", "{service: {name: a, namespace: b}}"));
    assertRefused(
        ManifestPlugin.VALIDATING_WEBHOOKS,
        "unsupported resource type",
        policy("p.static.k8s.io", ""));
  }

  @Test
  void whatTheApiWouldRefuseIsRefused() throws IOException {
    assertRefused(
        ManifestPlugin.VALIDATING_POLICIES,
        "ValidatingAdmissionPolicy \"p.static.k8s.io\": spec.failurePolicy",
        policy("p.static.k8s.io", "failurePolicy: Perhaps"));
    assertRefused(
        ManifestPlugin.VALIDATING_POLICIES,
        "strict decoding error: unknown field \"spec.x\"",
        policy("p.static.k8s.io", "x: y"));
    assertRefused(ManifestPlugin.VALIDATING_POLICIES, "error loading ", "{");
  }

  @Test
  void filesThatChangeAreReadAgainAndThoseThatCannotBeUsedChangeNothing() throws IOException {
    file("w.yaml", webhook("w.static.k8s.io", "{url: 'https://example.com/x'}"));
    var manifests = load(ManifestPlugin.VALIDATING_WEBHOOKS);
    var first = manifests.get();
    manifests.refresh();
    assertThat(manifests.get()).isSameAs(first);
    file("w.yaml", "kind: Broken");
    manifests.refresh();
    assertThat(manifests.get()).isSameAs(first);
    Files.delete(folder.resolve("w.yaml"));
    manifests.refresh();
    assertThat(manifests.get()).isEqualTo(ManifestSet.EMPTY);
    assertThat(heard)
        .containsExactly(
            "ValidatingAdmissionWebhook sha256:",
            "ValidatingAdmissionWebhook failed",
            "ValidatingAdmissionWebhook ");
  }
}
