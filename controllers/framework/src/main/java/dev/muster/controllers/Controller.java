package dev.muster.controllers;

import io.fabric8.kubernetes.client.KubernetesClient;

/** One control loop. It uses the API only, so it runs against any Kubernetes. */
public interface Controller {
  /** Its name in logs and in {@code --controllers}. */
  String name();

  /**
   * Starts the loop and returns at once; the loop ends when the answer is closed. Called each time
   * this process becomes the leader, never while an earlier loop of the same controller runs.
   */
  AutoCloseable start(KubernetesClient client);
}
