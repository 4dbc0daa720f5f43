package dev.muster.embedded;

import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import io.fabric8.kubernetes.api.model.rbac.SubjectBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.UUID;

/** A user with only the rights that roles grant. Thread-safe. */
public final class TestUser {
  private static final String RBAC = "rbac.authorization.k8s.io";

  private final TestCluster cluster;
  private final String name;

  TestUser(TestCluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /** Grants a ClusterRole, such as {@code view}, {@code edit} or {@code cluster-admin}. */
  public TestUser withClusterRole(String role) {
    var binding =
        new ClusterRoleBindingBuilder()
            .withNewMetadata()
            .withName(unique())
            .endMetadata()
            .withNewRoleRef(RBAC, "ClusterRole", role)
            .withSubjects(subject())
            .build();
    cluster.client().rbac().clusterRoleBindings().resource(binding).create();
    return this;
  }

  /** Grants a ClusterRole in one namespace only. */
  public TestUser withClusterRoleIn(String namespace, String role) {
    var binding =
        new RoleBindingBuilder()
            .withNewMetadata()
            .withName(unique())
            .endMetadata()
            .withNewRoleRef(RBAC, "ClusterRole", role)
            .withSubjects(subject())
            .build();
    cluster.client().rbac().roleBindings().inNamespace(namespace).resource(binding).create();
    return this;
  }

  /**
   * Grants verbs on resources in all namespaces.
   *
   * @param verbs such as {@code get,list,watch}
   * @param group such as {@code apps}, or "" for the core group
   * @param resources such as {@code deployments,deployments/scale}
   */
  public TestUser allowed(String verbs, String group, String resources) {
    var role =
        new ClusterRoleBuilder()
            .withNewMetadata()
            .withName(unique())
            .endMetadata()
            .addNewRule()
            .withVerbs(List.of(verbs.split(",")))
            .withApiGroups(group)
            .withResources(List.of(resources.split(",")))
            .endRule()
            .build();
    cluster.client().rbac().clusterRoles().resource(role).create();
    return withClusterRole(role.getMetadata().getName());
  }

  public KubernetesClient client() {
    return cluster.as(name);
  }

  public String kubeconfig() {
    return cluster.kubeconfigAs(name);
  }

  private Subject subject() {
    return ServiceAccountIdentity.of(name)
        .map(
            account ->
                new SubjectBuilder()
                    .withKind("ServiceAccount")
                    .withNamespace(account.namespace())
                    .withName(account.name())
                    .build())
        .orElseGet(
            () -> new SubjectBuilder().withApiGroup(RBAC).withKind("User").withName(name).build());
  }

  private static String unique() {
    return "test-" + UUID.randomUUID();
  }
}
