package dev.muster.controllers.garbagecollector;

import dev.muster.controllers.garbagecollector.ObjectClient.LiveObject;
import dev.muster.controllers.garbagecollector.ObjectClient.Outcome;
import dev.muster.controllers.garbagecollector.ObjectClient.Propagation;
import dev.muster.controllers.garbagecollector.ObjectClient.UnknownTypeException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides about one object and deletes or updates it. It decides by the live state of the object
 * and its owners, never by the graph alone, and writes with preconditions on both. It can therefore
 * be interrupted anywhere and repeated. Thread-safe, with one thread per object at a time.
 */
final class GarbageCollection {
  private static final Logger log = LoggerFactory.getLogger(GarbageCollection.class);

  private final Graph graph;
  private final AbsentOwners absent;
  private final ObjectClient objects;
  private final Patches patches;
  private final Consumer<List<GraphEffect>> effects;
  private final int parallel;

  /**
   * @param parallel the number of dependents of one object that are orphaned concurrently
   */
  GarbageCollection(
      Graph graph,
      AbsentOwners absent,
      ObjectClient objects,
      Consumer<List<GraphEffect>> effects,
      int parallel) {
    this.graph = graph;
    this.absent = absent;
    this.objects = objects;
    this.patches = new Patches(objects);
    this.effects = effects;
    this.parallel = parallel;
  }

  /** Deletes the object if no owner is left; returns whether nothing remains to be done for now. */
  boolean attemptToDelete(String uid) {
    var node = graph.check(uid);
    if (node.isEmpty()) {
      return true;
    }
    try {
      return attempt(node.get()) && !isVirtual(uid);
    } catch (NamespacedOwnerException e) {
      log.debug("{} stays: {}", node.get().identity(), e.getMessage());
      return true;
    } catch (UnknownTypeException e) {
      log.debug("{} waits: {}", node.get().identity(), e.getMessage());
      return false;
    }
  }

  /**
   * An object that was never observed may have been created and deleted unnoticed, so it is read
   * again.
   */
  private boolean isVirtual(String uid) {
    return graph.check(uid).map(Graph.Snapshot::virtual).orElse(false);
  }

  private boolean attempt(Graph.Snapshot node) {
    if (node.deleting() && !node.deletingDependents()) {
      return true;
    }
    var identity = node.identity();
    if (!identity.isNamespaced() && objects.isNamespaced(identity.apiVersion(), identity.kind())) {
      throw new NamespacedOwnerException(identity);
    }
    var live = objects.get(identity).filter(found -> isSame(found, identity));
    if (live.isEmpty()) {
      effects.accept(graph.findAbsent(identity));
      return true;
    }
    if (node.deletingDependents()) {
      return node.blocking() > 0 || patches.removeFinalizer(identity, ObjectMetadata.FOREGROUND);
    }
    return live.get().metadata().owners().isEmpty() || evaluate(node, live.get());
  }

  private static boolean isSame(LiveObject found, ObjectReference identity) {
    return found.metadata().reference().uid().equals(identity.uid());
  }

  /** The live owners of an object by their effect on it. */
  private record Owners(int solid, Set<String> dangling, Set<String> waiting) {
    Set<String> withoutHold() {
      var all = new HashSet<>(dangling);
      all.addAll(waiting);
      return all;
    }
  }

  private boolean evaluate(Graph.Snapshot node, LiveObject live) {
    var owners = classify(live.metadata());
    if (owners.solid() > 0) {
      var released = owners.withoutHold();
      return released.isEmpty() || patches.removeOwners(node.identity(), released);
    }
    if (!owners.waiting().isEmpty() && node.dependents() > 0) {
      if (node.cyclic() && !patches.unblockOwners(node.identity(), live)) {
        return false;
      }
      return delete(node.identity(), live, Propagation.FOREGROUND, !node.cyclic());
    }
    return delete(node.identity(), live, propagation(live.metadata()), true);
  }

  private static Propagation propagation(ObjectMetadata object) {
    if (object.orphans()) {
      return Propagation.ORPHAN;
    }
    return object.foreground() ? Propagation.FOREGROUND : Propagation.BACKGROUND;
  }

  private Owners classify(ObjectMetadata object) {
    int solid = 0;
    var dangling = new HashSet<String>();
    var waiting = new HashSet<String>();
    for (var reference : object.owners()) {
      var meant = reference.in(object.reference().namespace());
      if (absent.contains(meant) || absent.contains(meant.in(""))) {
        dangling.add(reference.uid());
        continue;
      }
      if (!objects.isNamespaced(reference.apiVersion(), reference.kind())) {
        meant = meant.in("");
      } else if (!meant.isNamespaced()) {
        throw new NamespacedOwnerException(meant);
      }
      var place = meant;
      var owner = objects.get(place).filter(found -> isSame(found, place));
      if (owner.isEmpty()) {
        absent.add(place);
        dangling.add(reference.uid());
      } else if (owner.get().metadata().isDeletingDependents()) {
        waiting.add(reference.uid());
      } else {
        solid++;
      }
    }
    return new Owners(solid, dangling, waiting);
  }

  /**
   * Deletes the observed object. A concurrent change is accepted if it left the owners unchanged,
   * so that an object that changes all the time can be deleted, too.
   */
  private boolean delete(
      ObjectReference identity, LiveObject live, Propagation propagation, boolean asLooked) {
    var version = asLooked ? live.resourceVersion() : "";
    var outcome = objects.delete(identity, version, propagation);
    if (outcome == Outcome.CONFLICT) {
      var now = objects.get(identity).filter(found -> isSame(found, identity));
      if (now.isEmpty()) {
        outcome = Outcome.NOT_FOUND;
      } else if (now.get().metadata().owners().equals(live.metadata().owners())) {
        outcome = objects.delete(identity, "", propagation);
      }
    }
    if (outcome == Outcome.NOT_FOUND) {
      effects.accept(graph.findAbsent(identity));
      return true;
    }
    return outcome == Outcome.DONE;
  }

  /** Orphans all dependents of the object, then removes the orphan finalizer from it. */
  boolean attemptToOrphan(String uid) {
    var node = graph.check(uid);
    if (node.isEmpty()) {
      return true;
    }
    var left = new AtomicInteger();
    try (var workers = Executors.newFixedThreadPool(parallel, Thread.ofVirtual().factory())) {
      for (var dependent : graph.dependents(uid)) {
        workers.execute(
            () -> {
              if (!setFree(dependent, uid)) {
                left.incrementAndGet();
              }
            });
      }
    }
    if (left.get() > 0 || Thread.currentThread().isInterrupted()) {
      log.info("{} dependents of {} are not set free yet", left, node.get().identity());
      return false;
    }
    return patches.removeFinalizer(node.get().identity(), ObjectMetadata.ORPHAN);
  }

  private boolean setFree(ObjectReference dependent, String owner) {
    try {
      return patches.removeOwners(dependent, Set.of(owner));
    } catch (RuntimeException e) {
      log.info("{} cannot be set free now: {}", dependent, e.getMessage());
      return false;
    }
  }

  /** A cluster-scoped object names a namespaced owner, which is a permanent error. */
  private static final class NamespacedOwnerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NamespacedOwnerException(ObjectReference owner) {
      super("an object of the cluster cannot be owned by " + owner);
    }
  }
}
