package dev.muster.controllers.loop;

import dev.muster.controllers.Controller;
import io.fabric8.kubernetes.client.KubernetesClient;

/** A controller that a simulation can run: threads, time and the API are passed in. */
public interface LoopController extends Controller {
  /** Starts the loop and returns at once. */
  AutoCloseable start(Loops loops);

  @Override
  default AutoCloseable start(KubernetesClient client) {
    return start(Loops.of(client));
  }
}
