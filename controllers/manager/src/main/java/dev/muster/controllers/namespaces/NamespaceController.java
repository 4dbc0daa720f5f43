package dev.muster.controllers.namespaces;

import dev.muster.controllers.Controller;
import dev.muster.controllers.loop.ControlLoop;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Deletes the content of terminating namespaces and then removes {@code kubernetes} from {@code
 * spec.finalizers}. The namespace's conditions show what remains. Works on virtual threads, one
 * namespace on one of them at a time.
 */
public final class NamespaceController implements Controller {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(8);

  private final int parallel;
  private final Clock clock;

  /**
   * @param parallel the number of namespaces processed concurrently
   */
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
    var deletion = new NamespaceDeletion(new ClientNamespaceApi(client), clock);
    return ControlLoop.<String>start(name(), parallel, LONGEST_PAUSE, deletion::finish)
        .follow(client.namespaces(), NamespaceController::key);
  }

  private static Optional<String> key(Namespace namespace) {
    return NamespaceDeletion.isTerminating(namespace)
        ? Optional.of(namespace.getMetadata().getName())
        : Optional.empty();
  }
}
