package dev.muster.embedded;

import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;

/** The namespace and name of a service account, parsed from its user name. */
record ServiceAccountIdentity(String namespace, String name) {
  private static final String PREFIX = "system:serviceaccount:";
  private static final Duration LIFE = Duration.ofDays(3650);

  /** The service account with that user name; empty for other users. */
  static Optional<ServiceAccountIdentity> of(String user) {
    if (!user.startsWith(PREFIX)) {
      return Optional.empty();
    }
    var parts = user.substring(PREFIX.length()).split(":", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new IllegalArgumentException(user + " is not " + PREFIX + "NAMESPACE:NAME");
    }
    return Optional.of(new ServiceAccountIdentity(parts[0], parts[1]));
  }

  /** Changes when the service account is deleted and created again. */
  String uid(KubernetesClient client) {
    ServiceAccount account = client.serviceAccounts().inNamespace(namespace).withName(name).get();
    if (account == null) {
      throw new IllegalStateException("there is no service account " + namespace + "/" + name);
    }
    return account.getMetadata().getUid();
  }

  /** A token that outlives every cluster. */
  String token(KubernetesClient client) {
    uid(client);
    var request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(LIFE.toSeconds())
            .endSpec()
            .build();
    return client
        .serviceAccounts()
        .inNamespace(namespace)
        .withName(name)
        .tokenRequest(request)
        .getStatus()
        .getToken();
  }
}
