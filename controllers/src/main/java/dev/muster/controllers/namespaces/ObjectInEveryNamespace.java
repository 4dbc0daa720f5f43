package dev.muster.controllers.namespaces;

import dev.muster.controllers.Controller;
import dev.muster.controllers.loop.ControlLoop;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Works on virtual threads, one namespace on one of them at a time. Every namespace that is not
 * being deleted holds an object of that name; when somebody deletes or damages it, it is made
 * again.
 *
 * @param desired the object, without a namespace
 * @param same whether one that is there (first) will do in place of the desired one
 */
public record ObjectInEveryNamespace<T extends HasMetadata>(
    String name, Class<T> type, T desired, BiPredicate<T, T> same) implements Controller {
  private static final int PARALLEL = 4;
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** The account under which pods run that name none. */
  public static Controller serviceAccounts() {
    var account =
        new ServiceAccountBuilder().withNewMetadata().withName("default").endMetadata().build();
    return new ObjectInEveryNamespace<>(
        "serviceaccount-controller", ServiceAccount.class, account, (present, desired) -> true);
  }

  /** The certificates by which pods know the API server. */
  public static Controller rootCertificates(String bundle) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("kube-root-ca.crt")
            .addToAnnotations(
                "kubernetes.io/description",
                "CA bundle that verifies the API server at its internal endpoints, such as"
                    + " kubernetes.default.svc; not meant for anything else.")
            .endMetadata()
            .addToData("ca.crt", bundle)
            .build();
    return new ObjectInEveryNamespace<>(
        "root-ca-certificate-publisher-controller",
        ConfigMap.class,
        map,
        (present, desired) -> Objects.equals(present.getData(), desired.getData()));
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    var objects =
        client
            .resources(type)
            .inAnyNamespace()
            .withField("metadata.name", desired.getMetadata().getName());
    return ControlLoop.<String>start(
            name, PARALLEL, LONGEST_PAUSE, namespace -> ensure(client, namespace))
        .follow(client.namespaces(), namespace -> Optional.of(namespace.getMetadata().getName()))
        .follow(objects, object -> Optional.of(object.getMetadata().getNamespace()));
  }

  private boolean ensure(KubernetesClient client, String name) {
    Namespace namespace = client.namespaces().withName(name).get();
    if (namespace == null || namespace.getMetadata().getDeletionTimestamp() != null) {
      return true;
    }
    var objects = client.resources(type).inNamespace(name);
    var present = objects.withName(desired.getMetadata().getName()).get();
    try {
      if (present == null) {
        objects.resource(desired).create();
      } else if (!same.test(present, desired)) {
        objects.resource(desired).update();
      }
      return true;
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return true;
      }
      if (e.getCode() == 409) {
        return false;
      }
      throw e;
    }
  }
}
