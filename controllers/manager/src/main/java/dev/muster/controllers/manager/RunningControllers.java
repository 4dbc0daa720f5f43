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
 * Guarded by its own lock; begin and end come from one thread at a time. The controllers start on a
 * thread of their own, which end breaks off. A controller that fails to start does not keep the
 * others from running.
 */
final class RunningControllers implements LeaderElector.Work {
  private static final Logger log = LoggerFactory.getLogger(RunningControllers.class);

  /** One loop that runs, with the name of its controller. */
  private record Loop(String name, AutoCloseable handle) {}

  private final KubernetesClient client;
  private final List<Controller> controllers;
  private final Deque<Loop> loops = new ArrayDeque<>();

  /** Whether they are to run. */
  private volatile boolean running;

  RunningControllers(KubernetesClient client, List<Controller> controllers) {
    this.client = client;
    this.controllers = List.copyOf(controllers);
  }

  boolean running() {
    return running;
  }

  /** Starts them in the background. */
  @Override
  public void begin() {
    running = true;
    Thread.ofPlatform().daemon().name("controllers-start").start(this::startAll);
  }

  /** Does nothing where they run, as they may after a term that ended before they started. */
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

  /** Stops in the reverse order of the start. */
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
