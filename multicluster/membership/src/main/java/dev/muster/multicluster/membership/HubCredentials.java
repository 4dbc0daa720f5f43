package dev.muster.multicluster.membership;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Creates the credentials of a member in its hub. They permit to read, update and release its own
 * claim, and to renew its own Lease and token. All objects are owned by the claim and deleted with
 * it.
 */
final class HubCredentials {
  /** The controller renews the token at half of this. */
  static final Duration TOKEN_LIFE = Duration.ofDays(30);

  static final String SECRET_NAMESPACE = "kube-system";
  static final String SECRET_KEY = "kubeconfig";
  private static final int CONFLICT = 409;

  private HubCredentials() {}

  /** Creates the credentials for an existing claim and returns a kubeconfig. */
  static String issue(KubernetesClient hub, ClusterSetMember member) {
    var name = member.getMetadata().getName();
    var namespace = member.getMetadata().getNamespace();
    var metadata = metadata(member);
    renew(hub, new ServiceAccountBuilder().withMetadata(metadata).build());
    renew(hub, new RoleBuilder().withMetadata(metadata).withRules(rules(name)).build());
    renew(
        hub,
        new RoleBindingBuilder()
            .withMetadata(metadata)
            .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
            .addNewSubject("", "ServiceAccount", name, namespace)
            .build());
    renew(
        hub,
        new LeaseBuilder()
            .withMetadata(metadata)
            .withNewSpec()
            .withHolderIdentity(member.clusterUid())
            .withLeaseDurationSeconds((int) MemberLease.LIFE.toSeconds())
            .endSpec()
            .build());
    return kubeconfig(hub, namespace, name);
  }

  /** Stores a new kubeconfig in the Secret with which the member reaches the hub. */
  static void store(KubernetesClient member, String secret, String kubeconfig) {
    var wanted =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(SECRET_NAMESPACE)
            .withName(secret)
            .endMetadata()
            .withType("Opaque")
            .withData(
                Map.of(
                    SECRET_KEY,
                    Base64.getEncoder()
                        .encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8))))
            .build();
    var secrets = member.secrets().inNamespace(SECRET_NAMESPACE);
    try {
      secrets.resource(wanted).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != CONFLICT) {
        throw e;
      }
      secrets.resource(wanted).update();
    }
  }

  /** Replaces an object of an earlier claim to the same ID, so that its tokens become invalid. */
  private static <T extends HasMetadata> void renew(KubernetesClient hub, T wanted) {
    var present = hub.resource(wanted).get();
    if (present != null) {
      if (present
          .getMetadata()
          .getOwnerReferences()
          .equals(wanted.getMetadata().getOwnerReferences())) {
        return;
      }
      hub.resource(present).delete();
    }
    hub.resource(wanted).create();
  }

  private static ObjectMeta metadata(ClusterSetMember member) {
    OwnerReference owner =
        new OwnerReferenceBuilder()
            .withApiVersion(member.getApiVersion())
            .withKind(member.getKind())
            .withName(member.getMetadata().getName())
            .withUid(member.getMetadata().getUid())
            .build();
    return new ObjectMetaBuilder()
        .withNamespace(member.getMetadata().getNamespace())
        .withName(member.getMetadata().getName())
        .withOwnerReferences(owner)
        .build();
  }

  private static List<PolicyRule> rules(String name) {
    return List.of(
        rule(ClusterSet.GROUP, "clustersetmembers", name, "get", "delete"),
        rule(ClusterSet.GROUP, "clustersetmembers/status", name, "update", "patch"),
        rule("coordination.k8s.io", "leases", name, "get", "update", "patch"),
        rule("", "serviceaccounts/token", name, "create"));
  }

  private static PolicyRule rule(String group, String resource, String name, String... verbs) {
    return new PolicyRuleBuilder()
        .withApiGroups(group)
        .withResources(resource)
        .withResourceNames(name)
        .withVerbs(verbs)
        .build();
  }

  /**
   * A kubeconfig with a new token of an existing service account and the client's address of the
   * hub.
   */
  static String kubeconfig(KubernetesClient hub, String namespace, String account) {
    var request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(TOKEN_LIFE.toSeconds())
            .endSpec()
            .build();
    var token =
        hub.serviceAccounts()
            .inNamespace(namespace)
            .withName(account)
            .tokenRequest(request)
            .getStatus()
            .getToken();
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: hub
      cluster:
        server: %s
    %susers:
    - name: member
      user:
        token: %s
    contexts:
    - name: hub
      context:
        cluster: hub
        user: member
        namespace: %s
    current-context: hub
    """
        .formatted(hub.getMasterUrl(), authority(hub), token, namespace);
  }

  private static String authority(KubernetesClient hub) {
    var config = hub.getConfiguration();
    var data = config.getCaCertData();
    if (data == null && config.getCaCertFile() != null) {
      try {
        data =
            Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(config.getCaCertFile())));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return data == null
        ? ""
        : "    certificate-authority-data: " + data.replaceAll("\\s", "") + "\n";
  }
}
