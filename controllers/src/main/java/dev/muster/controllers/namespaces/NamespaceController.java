package dev.muster.controllers.namespaces;

import dev.muster.controllers.Controller;
import dev.muster.controllers.loop.ControlLoop;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Works on virtual threads, one namespace on one of them at a time. Empties every namespace that is
 * being deleted and then gives it free by taking {@code kubernetes} from its {@code
 * spec.finalizers}; what holds it meanwhile stands in its conditions.
 */
public final class NamespaceController implements Controller {
  private static final String FINALIZER = "kubernetes";
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  private final int parallel;
  private final Clock clock;

  /**
   * @param parallel how many namespaces are worked on at a time
   */
  public NamespaceController(int parallel) {
    this(parallel, Clock.systemUTC());
  }

  /** One that tells time by that clock. */
  public NamespaceController(int parallel, Clock clock) {
    this.parallel = parallel;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "namespace-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    return ControlLoop.<String>start(name(), parallel, LONGEST_PAUSE, key -> finish(client, key))
        .follow(client.namespaces(), NamespaceController::key);
  }

  private static Optional<String> key(Namespace namespace) {
    return isTerminating(namespace)
        ? Optional.of(namespace.getMetadata().getName())
        : Optional.empty();
  }

  private static boolean isTerminating(Namespace namespace) {
    return namespace.getMetadata().getDeletionTimestamp() != null;
  }

  private static boolean isHeld(Namespace namespace) {
    return namespace.getSpec() != null && namespace.getSpec().getFinalizers().contains(FINALIZER);
  }

  /** Whether it is out of our hands: not terminating, empty and given free, or gone. */
  private boolean finish(KubernetesClient client, String name) {
    var namespace = client.namespaces().withName(name).get();
    if (namespace == null || !isTerminating(namespace) || !isHeld(namespace)) {
      return true;
    }
    try {
      var content = NamespaceContent.remove(client, namespace);
      var told = tell(client, namespace, content);
      if (content.isGone()) {
        giveFree(client, told);
      }
      return content.isGone();
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return true;
      }
      throw e;
    }
  }

  private Namespace tell(KubernetesClient client, Namespace namespace, NamespaceContent content) {
    var before = namespace.getStatus().getConditions();
    var after = NamespaceConditions.after(content, before, clock.instant());
    if (NamespaceConditions.sameContent(before, after)) {
      return namespace;
    }
    var told = namespace.edit().editStatus().withPhase("Terminating").withConditions(after);
    return client.namespaces().resource(told.endStatus().build()).updateStatus();
  }

  private static void giveFree(KubernetesClient client, Namespace namespace) {
    var finalizers = new ArrayList<>(namespace.getSpec().getFinalizers());
    finalizers.remove(FINALIZER);
    var free = namespace.edit().editSpec().withFinalizers(finalizers).endSpec().build();
    client.raw(
        "/api/v1/namespaces/" + namespace.getMetadata().getName() + "/finalize", "PUT", free);
  }
}
