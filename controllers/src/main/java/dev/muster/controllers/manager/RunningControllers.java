package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guarded by its own lock; start and stop may come from any thread, in any order. A controller that
 * fails to start does not keep the others from running.
 */
final class RunningControllers {
  private static final Logger log = LoggerFactory.getLogger(RunningControllers.class);

  /** One loop that runs, with the name of its controller. */
  private record Loop(String name, AutoCloseable handle) {}

  private final KubernetesClient client;
  private final List<Controller> controllers;
  private final Deque<Loop> loops = new ArrayDeque<>();
  private boolean running;

  RunningControllers(KubernetesClient client, List<Controller> controllers) {
    this.client = client;
    this.controllers = List.copyOf(controllers);
  }

  synchronized boolean running() {
    return running;
  }

  synchronized void start() {
    if (running) {
      return;
    }
    running = true;
    for (var controller : controllers) {
      try {
        loops.push(new Loop(controller.name(), controller.start(client)));
        log.info("Started controller {}", controller.name());
      } catch (RuntimeException | Error e) {
        log.error("Controller {} did not start", controller.name(), e);
      }
    }
  }

  /** Stops in the reverse order of the start. */
  synchronized void stop() {
    running = false;
    while (!loops.isEmpty()) {
      var loop = loops.pop();
      try {
        loop.handle().close();
        log.info("Stopped controller {}", loop.name());
      } catch (Exception e) {
        log.error("Controller {} did not stop cleanly", loop.name(), e);
      }
    }
  }
}
