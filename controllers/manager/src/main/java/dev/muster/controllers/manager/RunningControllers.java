package dev.muster.controllers.manager;

import dev.muster.controllers.Controller;
import dev.muster.controllers.election.LeaderElector;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops the controllers of a leader. They start on a separate thread, which {@link #end}
 * interrupts. A controller that fails to start does not prevent the others. Guarded by its own
 * lock; one thread at a time calls {@link #begin} and {@link #end}.
 */
final class RunningControllers implements LeaderElector.Work {
  private static final Logger log = LoggerFactory.getLogger(RunningControllers.class);

  /** A running control loop. */
  private record Loop(String name, AutoCloseable handle) {}

  private final KubernetesClient client;
  private final List<Controller> controllers;
  private final Deque<Loop> loops = new ArrayDeque<>();

  /** Whether the controllers should run. */
  private volatile boolean running;

  RunningControllers(KubernetesClient client, List<Controller> controllers) {
    this.client = client;
    this.controllers = List.copyOf(controllers);
  }

  boolean running() {
    return running;
  }

  /** Starts the controllers in the background. */
  @Override
  public void begin() {
    running = true;
    Thread.ofPlatform().daemon().name("controllers-start").start(this::startAll);
  }

  /** Does nothing if they already run, which happens if a term ended before its start did. */
  private synchronized void startAll() {
    if (!loops.isEmpty()) {
      return;
    }
    for (var controller : controllers) {
      if (!running) {
        return;
      }
      try {
        loops.push(new Loop(controller.name(), controller.start(client)));
        log.info("Started controller {}", controller.name());
      } catch (RuntimeException | Error e) {
        log.error("Controller {} did not start", controller.name(), e);
      }
    }
  }

  /** Stops the controllers in reverse order. */
  @Override
  public void end() {
    running = false;
    stopAll();
  }

  private synchronized void stopAll() {
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
