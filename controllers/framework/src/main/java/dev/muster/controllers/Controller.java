package dev.muster.controllers;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * A controller that uses only the Kubernetes API, so it also runs against other API servers than
 * Muster.
 */
public interface Controller {
  /** The name in logs and in {@code --controllers}. */
  String name();

  /**
   * Starts the control loop and returns at once; close the result to end the loop. Called each time
   * this process becomes the leader, never while an earlier loop of the same controller runs.
   */
  AutoCloseable start(KubernetesClient client);
}
