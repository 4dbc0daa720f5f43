package dev.muster.multicluster.membership;

import dev.muster.controllers.client.Clients;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Installs the shared objects of a ClusterSet in the hub: a role for the members' service accounts,
 * and admission policies that keep members from changing each other's objects. Not thread-safe.
 * Blocks the caller.
 */
public record HubInstallation(KubernetesClient hub, String clusterSet) {
  /** The ConfigMap in a set's namespace with the ranges of its addresses. */
  public static final String SETTINGS = "clusterset-services";

  /** The key in {@link #SETTINGS}: ranges, separated by commas. */
  public static final String RANGES = "clusterSetIPRanges";

  private static final String POLICIES = "hub-policies.yaml";
  private static final String ROLE = "muster:multicluster-services";
  private static final String HUB_ROLE = "muster:multicluster-services-hub";
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String KEEPER = "muster";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int CONFLICT = 409;
  private static final int NOT_FOUND = 404;

  /** A definition of the members' objects in the hub, from the resources of this package. */
  public static InputStream definition(String name) {
    return Objects.requireNonNull(HubInstallation.class.getResourceAsStream(name + ".yaml"), name);
  }

  /**
   * Installs everything and waits until the policies are in force.
   *
   * @param ranges of service addresses; an existing set keeps its ranges
   * @return features that the hub lacks, for users
   */
  Optional<String> ensure(List<String> ranges) {
    makeSettings(ranges);
    var lacking = applyPolicies();
    hub.resource(hubRole()).fieldManager(KEEPER).forceConflicts().serverSideApply();
    hub.resource(hubBinding()).fieldManager(KEEPER).forceConflicts().serverSideApply();
    hub.resource(role()).fieldManager(KEEPER).forceConflicts().serverSideApply();
    hub.resource(binding()).fieldManager(KEEPER).forceConflicts().serverSideApply();
    if (lacking.isEmpty()) {
      awaitPolicies();
    }
    return lacking;
  }

  private String namespace() {
    return ClusterSet.namespace(clusterSet);
  }

  private void makeSettings(List<String> ranges) {
    try {
      hub.resource(
              new ConfigMapBuilder()
                  .withMetadata(metadata(SETTINGS, true))
                  .addToData(RANGES, String.join(",", ranges))
                  .build())
          .create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
    }
  }

  private Optional<String> applyPolicies() {
    try {
      for (var policy : policies()) {
        hub.resource(policy).fieldManager(KEEPER).forceConflicts().serverSideApply();
      }
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (e.getCode() != NOT_FOUND) {
        throw e;
      }
      return Optional.of(
          "The hub has no ValidatingAdmissionPolicies, which Kubernetes has from 1.31 on: every"
              + " member can change what the others export.");
    }
  }

  private static List<HasMetadata> policies() {
    try (var text =
        Objects.requireNonNull(HubInstallation.class.getResourceAsStream(POLICIES), POLICIES)) {
      var documents = new String(text.readAllBytes(), StandardCharsets.UTF_8);
      var serialization = new KubernetesSerialization();
      return List.of(documents.split("(?m)^---$")).stream()
          .<HasMetadata>map(
              document -> serialization.unmarshal(document, GenericKubernetesResource.class))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An API server enforces a policy shortly after it was created. */
  private void awaitPolicies() {
    var name = "muster-probe";
    var user = "system:serviceaccount:" + namespace() + ":" + name;
    var config =
        new ConfigBuilder(hub.getConfiguration())
            .withImpersonateUsername(user)
            .withImpersonateGroups(
                "system:authenticated",
                "system:serviceaccounts",
                "system:serviceaccounts:" + namespace())
            .withRequestRetryBackoffLimit(0)
            .build();
    try (var member = Clients.builder(config).build()) {
      long endsAt = System.nanoTime() + PATIENCE.toNanos();
      while (!isRefused(member)) {
        if (System.nanoTime() - endsAt > 0) {
          throw new RefusedByHub(
              "The hub does not enforce the policy clustersetips.clusterset.muster.dev after %d s: look at its status with kubectl get validatingadmissionpolicy -o yaml."
                  .formatted(PATIENCE.toSeconds()));
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RefusedByHub("Interrupted: the same command again finishes what was begun.");
    }
  }

  /** Whether the policies refuse a member's attempt to take an address for another member. */
  private boolean isRefused(KubernetesClient member) {
    var address = new GenericKubernetesResource();
    address.setApiVersion(ClusterSet.GROUP + "/v1alpha1");
    address.setKind("ClusterSetIP");
    address.setMetadata(
        new ObjectMetaBuilder().withName("ip-0-0-0-1").withNamespace(namespace()).build());
    address.setAdditionalProperty(
        "spec",
        Map.of(
            "address", "0.0.0.1",
            "family", "IPv4",
            "namespace", "muster-probe",
            "name", "muster-probe",
            "cluster", "another"));
    try {
      member.resource(address).dryRun().create();
      return false;
    } catch (KubernetesClientException e) {
      var why = String.valueOf(e.getMessage());
      return why.contains("clustersetips.clusterset.muster.dev'") || why.contains("impersonate");
    }
  }

  private ObjectMeta metadata(String name, boolean inNamespace) {
    var metadata =
        new ObjectMetaBuilder().withName(name).addToLabels("app.kubernetes.io/managed-by", KEEPER);
    return inNamespace ? metadata.withNamespace(namespace()).build() : metadata.build();
  }

  private ClusterRole hubRole() {
    return new ClusterRoleBuilder()
        .withMetadata(metadata(HUB_ROLE, false))
        .withRules(
            new PolicyRuleBuilder()
                .withApiGroups("apiextensions.k8s.io")
                .withResources("customresourcedefinitions")
                .withResourceNames(
                    "exportedservices.clusterset.muster.dev", "clustersetips.clusterset.muster.dev")
                .withVerbs("get")
                .build(),
            rule("", "namespaces", List.of("kube-system"), "get"))
        .build();
  }

  private ClusterRoleBinding hubBinding() {
    return new ClusterRoleBindingBuilder()
        .withMetadata(metadata(HUB_ROLE + ":" + clusterSet, false))
        .withNewRoleRef(RBAC, "ClusterRole", HUB_ROLE)
        .addNewSubject(RBAC, "Group", "system:serviceaccounts:" + namespace(), null)
        .build();
  }

  private Role role() {
    return new RoleBuilder()
        .withMetadata(metadata(ROLE, true))
        .withRules(
            rule("", "namespaces", List.of(namespace()), "get"),
            rule("", "configmaps", List.of(SETTINGS), "get"),
            written(ClusterSet.GROUP, "exportedservices", "clustersetips"),
            written("discovery.k8s.io", "endpointslices"))
        .build();
  }

  private static PolicyRule written(String group, String... resources) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resources)
        .withVerbs("get", "list", "watch", "create", "update", "delete")
        .build();
  }

  private static PolicyRule rule(
      String group, String resource, List<String> names, String... verbs) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resource)
        .withResourceNames(names)
        .withVerbs(verbs)
        .build();
  }

  private RoleBinding binding() {
    return new RoleBindingBuilder()
        .withMetadata(metadata(ROLE, true))
        .withNewRoleRef(RBAC, "Role", ROLE)
        .addNewSubject(RBAC, "Group", "system:serviceaccounts:" + namespace(), null)
        .build();
  }
}
