package dev.muster.it.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Kubeconfig;
import dev.muster.it.ServerInProcess;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The fabric8 client at work: tokens, field validation, apply, dry runs, subresources. On a machine
 * whose kubectl is too old for these, this is where they are tried.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class Fabric8Test {
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir private static Path folder;
  private ServerInProcess server;
  private KubernetesClient client;
  private String namespace;

  @BeforeAll
  void start() throws Exception {
    server = ServerInProcess.start(folder);
    var context = Kubeconfig.read(server.kubeconfig()).currentContext();
    // Tries once: a refusal is an answer here, not something to wait for.
    client = Clients.of(server.kubeconfig(), context, Duration.ofMinutes(1));
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @BeforeEach
  void makeNamespace() {
    namespace = "fabric8-" + NAMES.incrementAndGet();
    var named = "{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(namespace);
    client.resource(read(named, HasMetadata.class)).create();
  }

  private <T extends HasMetadata> Resource<T> in(T object) {
    return client.resource(object).inNamespace(namespace);
  }

  private <T> T read(String yaml, Class<T> type) {
    // The client would take a brace at the beginning for JSON.
    return client.getKubernetesSerialization().unmarshal("---\n" + yaml, type);
  }

  private HasMetadata create(String yaml) {
    return in(read(yaml, HasMetadata.class)).create();
  }

  private ConfigMap map(String value) {
    return read(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, data: {a: '" + value + "'}}",
        ConfigMap.class);
  }

  @Test
  void issuesTokensForAudiencesAndBoundToObjects() {
    create("{apiVersion: v1, kind: ServiceAccount, metadata: {name: robot}}");
    var uid =
        create("{apiVersion: v1, kind: Secret, metadata: {name: anchor}}").getMetadata().getUid();
    var bound =
        """
        {audiences: [a, b], expirationSeconds: 1200,
         boundObjectRef: {apiVersion: v1, kind: Secret, name: anchor, uid: "%s"}}
        """;
    var claims = token("robot", bound.formatted(uid)).split("\\.")[1];
    assertThat(new String(Base64.getUrlDecoder().decode(claims), StandardCharsets.UTF_8))
        .contains("\"aud\":[\"a\",\"b\"]")
        .contains("\"secret\":{\"name\":\"anchor\",\"uid\":\"" + uid + "\"}")
        .contains("\"sub\":\"system:serviceaccount:" + namespace + ":robot\"");
    assertThatThrownBy(() -> token("robot", "{expirationSeconds: 300}"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("may not specify a duration less than 10 minutes");
    assertThatThrownBy(() -> token("nobody", "{}"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("serviceaccounts \"nobody\" not found");
    assertThatThrownBy(() -> token("robot", bound.formatted("other")))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(
            "the UID in the bound object reference (other) does not match the UID in record");
  }

  private String token(String account, String spec) {
    var request =
        read(
            "{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, spec: " + spec + "}",
            TokenRequest.class);
    return client
        .serviceAccounts()
        .inNamespace(namespace)
        .withName(account)
        .tokenRequest(request)
        .getStatus()
        .getToken();
  }

  @Test
  void unknownFieldsAreRefusedWhereTheClientAsksForIt() {
    var misspelt =
        read(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: m}, dta: {}}",
            GenericKubernetesResource.class);
    assertThatThrownBy(() -> in(misspelt).fieldValidation(Validation.STRICT).create())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("strict decoding error: unknown field \"dta\"");
    assertThat(client.configMaps().inNamespace(namespace).withName("m").get()).isNull();
    assertThat(in(misspelt).fieldValidation(Validation.IGNORE).create().getAdditionalProperties())
        .doesNotContainKey("dta");
  }

  @Test
  void appliesWithConflictsAndByForce() {
    in(map("1")).fieldManager("one").serverSideApply();
    assertThatThrownBy(() -> in(map("2")).fieldManager("two").serverSideApply())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("Apply failed with 1 conflict: conflict with \"one\": .data.a");
    var forced = in(map("2")).fieldManager("two").forceConflicts().serverSideApply();
    assertThat(forced.getData()).isEqualTo(Map.of("a", "2"));
    assertThat(forced.getMetadata().getManagedFields())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getManager()).isEqualTo("two"));
  }

  @Test
  void aDryRunSaysWhatWouldBeAndChangesNothing() {
    var before = in(map("1")).create();
    var dry =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withDryRun(List.of("All"))
            .build();
    assertThat(in(before).patch(dry, "{\"data\":{\"a\":\"9\"}}").getData())
        .isEqualTo(Map.of("a", "9"));
    assertThat(in(before).get()).isEqualTo(before);
  }

  /** A Pod on a node where nobody listens. */
  private PodResource podOnANode() {
    var node = "node-" + namespace;
    var described =
        """
        {apiVersion: v1, kind: Node, metadata: {name: "%s"}, status: {
          addresses: [{type: InternalIP, address: 127.0.0.1}],
          daemonEndpoints: {kubeletEndpoint: {Port: 1}}}}
        """
            .formatted(node);
    client.resource(read(described, HasMetadata.class)).create();
    create(
        """
        {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: p}},
         spec: {nodeName: "%s", containers: [{name: c, image: nginx}]}}
        """
            .formatted(node));
    return client.pods().inNamespace(namespace).withName("p");
  }

  private static final String READY =
      "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}";

  @Test
  void aPatchOfTheStatusIsSeenByWhoWaitsForIt() {
    var pod = podOnANode();
    var seen =
        pod.informOnCondition(
            pods -> pods.stream().anyMatch(one -> "Running".equals(one.getStatus().getPhase())));
    pod.subresource("status").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), READY);
    assertThat(seen.orTimeout(60, TimeUnit.SECONDS).join()).hasSize(1);
    assertThat(pod.waitUntilReady(60, TimeUnit.SECONDS).getSpec().getNodeName())
        .isEqualTo("node-" + namespace);
    pod.withGracePeriod(0).delete();
    pod.waitUntilCondition(Objects::isNull, 60, TimeUnit.SECONDS);
  }

  @Test
  void evictsWithinTheBudget() {
    var pod = podOnANode();
    pod.subresource("status").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), READY);
    var budget =
        in(
            create(
                """
                {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: b},
                 spec: {minAvailable: 1, selector: {matchLabels: {app: p}}}}
                """));
    var allowed =
        "{\"status\":{\"observedGeneration\":1,\"disruptionsAllowed\":%d,\"currentHealthy\":1,"
            + "\"desiredHealthy\":1,\"expectedPods\":1}}";
    var merge = PatchContext.of(PatchType.JSON_MERGE);
    budget.subresource("status").patch(merge, allowed.formatted(0));
    assertThat(pod.evict()).isFalse();
    assertThat(pod.get().getMetadata().getDeletionTimestamp()).isNull();
    budget.subresource("status").patch(merge, allowed.formatted(1));
    assertThat(pod.evict()).isTrue();
    assertThat(pod.get().getMetadata().getDeletionTimestamp()).isNotNull();
  }

  @Test
  void addsContainersForDebuggingAndSaysThatTheNodeCannotBeReached() {
    var pod = podOnANode();
    var look =
        new EphemeralContainerBuilder()
            .withName("look")
            .withImage("busybox")
            .withTargetContainerName("c")
            .build();
    pod.ephemeralContainers()
        .edit(
            one -> new PodBuilder(one).editSpec().addToEphemeralContainers(look).endSpec().build());
    assertThat(pod.get().getSpec().getEphemeralContainers())
        .singleElement()
        .satisfies(container -> assertThat(container.getName()).isEqualTo("look"));
    assertThatThrownBy(() -> pod.inContainer("c").getLog())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("dial tcp 127.0.0.1:1: connect: connection refused");
  }
}
