package dev.muster.it.controllers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.controllers.policies.PolicyStatusController;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyTypeCheckingTest {
  private static final String POLICY =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata: {name: NAME}
      spec:
        PARAMS
        matchConstraints:
          resourceRules:
          - {apiGroups: [GROUP], apiVersions: [v1], operations: [CREATE], resources: [RESOURCE]}
        validations:
        - expression: "EXPRESSION"
      """;

  @TempDir private static Path folder;
  private TestCluster cluster;
  private KubernetesClient client;

  @BeforeAll
  void start() throws IOException {
    cluster = TestCluster.start(folder, new PolicyStatusController(4));
    client = cluster.client();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private void policy(
      String name, String params, String group, String resource, String expression) {
    cluster.create(
        POLICY
            .replace("NAME", name)
            .replace("PARAMS", params.isEmpty() ? "failurePolicy: Fail" : "paramKind: " + params)
            .replace("GROUP", group)
            .replace("RESOURCE", resource)
            .replace("EXPRESSION", expression));
  }

  private Resource<GenericKubernetesResource> named(String name) {
    return client
        .genericKubernetesResources("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy")
        .withName(name);
  }

  /** The warnings about a policy, once that generation was looked at. */
  private List<String> awaitWarnings(String name, int generation) {
    TestCluster.eventually(
        () ->
            assertThat(named(name).get().<Number>get("status", "observedGeneration"))
                .isEqualTo(generation));
    List<Map<String, String>> found =
        named(name).get().get("status", "typeChecking", "expressionWarnings");
    return found == null
        ? List.of()
        : found.stream().map(one -> one.get("fieldRef") + ": " + one.get("warning")).toList();
  }

  @Test
  void theStatusSaysWhatExpressionsGetWrongAboutBuiltInTypes() {
    policy("typed", "", "apps", "deployments", "object.replicas > 1");
    assertThat(awaitWarnings("typed", 1))
        .containsExactly(
            """
            spec.validations[0].expression: apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'
             | object.replicas > 1
             | ......^
            """);
  }

  @Test
  void whatIsCorrectedIsNoLongerThere() {
    policy("corrected", "", "apps", "deployments", "object.spec.replicas == 'x'");
    assertThat(awaitWarnings("corrected", 1)).singleElement().asString().contains("(int, string)");
    named("corrected")
        .edit(
            policy -> {
              List<Map<String, Object>> validations = policy.get("spec", "validations");
              validations.getFirst().put("expression", "object.spec.replicas == 1");
              return policy;
            });
    assertThat(awaitWarnings("corrected", 2)).isEmpty();
  }

  @Test
  void deepTypesOfBuiltInObjectsAreKnown() {
    policy(
        "deep",
        "",
        "''",
        "pods",
        "object.spec.containers.all(c, !has(c.resources.limits) || c.resources.limits['cpu'] != ''"
            + " && c.ports.all(p, p.containerPort < 1024)) && object.metadata.namespace != 'x'"
            + " && object.spec.affinity.nodeAffinity != null");
    assertThat(awaitWarnings("deep", 1)).isEmpty();
  }

  @Test
  void customResourcesAreCheckedAsObjectsAndAsParameters() {
    cluster.create(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: limits.policy.example}
        spec:
          group: policy.example
          names: {kind: Limit, plural: limits}
          scope: Namespaced
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties: {most: {type: integer}}
        """);
    TestCluster.eventually(
        () -> assertThat(client.getApiResources("policy.example/v1").getResources()).isNotEmpty());
    TestCluster.eventually(
        () -> assertThat(client.raw("/openapi/v3")).contains("apis/policy.example/v1"));
    policy(
        "custom",
        "",
        "policy.example",
        "limits",
        "object.most > 'x' || object.metadata.name == ''");
    assertThat(awaitWarnings("custom", 1))
        .singleElement()
        .asString()
        .contains("policy.example/v1, Kind=Limit: ERROR")
        .contains("applied to '(int, string)'");
    policy(
        "parameterized",
        "{apiVersion: policy.example/v1, kind: Limit}",
        "apps",
        "deployments",
        "object.spec.replicas < params.least");
    assertThat(awaitWarnings("parameterized", 1))
        .singleElement()
        .asString()
        .contains("undefined field 'least'");
  }
}
