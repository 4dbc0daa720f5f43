package dev.muster.server.definitions;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.ServerChange;
import dev.muster.replica.Replica;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.types.ObjectMeta;
import dev.muster.validation.apis.DefinitionRemoval;
import dev.muster.validation.apis.DefinitionStatus;
import dev.muster.validation.apis.GroupNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Maintains the status of CustomResourceDefinitions and the APIServices of their groups, and
 * carries out the deletion of definitions, whenever a snapshot changes them. Everything except
 * {@link #published} runs on its own virtual thread. Every server of the fleet does so. Each write
 * follows from one snapshot and replaces only what that snapshot contains, so the slower server
 * finds nothing to do.
 */
public final class DefinitionController implements Runnable {
  static final String DEFINITIONS = "/apiextensions.k8s.io/customresourcedefinitions";
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionController.class);
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  private static final Duration RETRY = Duration.ofSeconds(1);

  /** The pause between checks of definitions that are not urgent, and their number per check. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static final int FEW = 8;
  private static final Map<String, Long> UNSEEN = Map.of(DEFINITIONS, -1L);

  private final DefinitionWrites objects;
  private final Replica replica;
  private final InstantSource clock;
  private final BooleanSupplier stopped;
  private final ObjectRemoval removal;
  private final DefinedApiServices services;

  private final DefinitionClaims claims;

  /** The revisions that this controller has written and need not check again. */
  private final Map<String, Long> told = new HashMap<>();

  /** Definitions to check again although they have not changed. */
  private final Set<String> unfinished = new HashSet<>();

  /** Definitions that are older than this server and whose status looks complete. */
  private final Set<String> unhurried = new LinkedHashSet<>();

  private final Semaphore news = new Semaphore(1);

  /** The last change of each collection that was processed; replaced as a whole. */
  private volatile Map<String, Long> seen = UNSEEN;

  public DefinitionController(
      DefinitionWrites objects, Replica replica, InstantSource clock, BooleanSupplier stopped) {
    this.objects = objects;
    this.replica = replica;
    this.clock = clock;
    this.stopped = stopped;
    this.claims = new DefinitionClaims(replica);
    this.removal = new ObjectRemoval(objects, replica);
    this.services = new DefinedApiServices(objects);
  }

  @Override
  public void run() {
    try (var _ = replica.onPublish(this::published)) {
      while (!stopped.getAsBoolean()) {
        var pause = unhurried.isEmpty() ? RETRY : PAUSE;
        var _ = news.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
        news.drainPermits();
        if (replica.ready() && isSomethingDue()) {
          lookOrStartOver();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isSomethingDue() {
    return !unfinished.isEmpty() || !unhurried.isEmpty() || isNew(replica.current());
  }

  /** A snapshot may become too old to be read during the check. */
  private void lookOrStartOver() {
    try {
      check();
    } catch (RuntimeException e) {
      LOG.debug("all definitions are looked at once more", e);
      claims.clear();
      told.clear();
      unhurried.clear();
      seen = UNSEEN;
    }
  }

  /** The applier's thread runs this: it only compares revisions. */
  private void published() {
    if (isNew(replica.current())) {
      news.release();
    }
  }

  private boolean isNew(Snapshot snapshot) {
    return seen.entrySet().stream()
        .anyMatch(each -> snapshot.collection(each.getKey()).changed() != each.getValue());
  }

  private void check() {
    long changed = replica.current().collection(DEFINITIONS).changed();
    boolean first = claims.isEmpty();
    var due = claims.follow();
    var snapshot = replica.current();
    if (first) {
      postpone(snapshot, due);
    }
    due.addAll(unfinished);
    for (var next = unhurried.iterator(); next.hasNext() && due.size() < FEW; ) {
      due.add(next.next());
      next.remove();
    }
    settle(snapshot, changed, due);
  }

  /**
   * Postpones definitions whose status looks complete until no other work is left. Verifying
   * schemas means to read them all, which would delay the start of a server with a thousand
   * definitions.
   */
  private void postpone(Snapshot snapshot, Set<String> due) {
    var definitions = snapshot.collection(DEFINITIONS);
    for (var names = due.iterator(); names.hasNext(); ) {
      var name = names.next();
      var stored = definitions.get("", name);
      if (stored == null) {
        continue;
      }
      var claim = claims.at(stored);
      if (claim != null && !claim.isPending() && DefinitionStatus.isWhole(stored)) {
        names.remove();
        unhurried.add(name);
      }
    }
  }

  /**
   * @param changed the last change of definitions that was processed, at least
   */
  private void settle(Snapshot snapshot, long changed, Set<String> due) {
    var definitions = snapshot.collection(DEFINITIONS);
    var watched = new HashMap<String, Long>();
    watched.put(DEFINITIONS, changed);
    watched.put(
        DefinedApiServices.STORAGE, snapshot.collection(DefinedApiServices.STORAGE).changed());
    var names = new HashMap<String, GroupNames>();
    var ending = new ArrayList<JsonObject>();
    unfinished.clear();
    for (var name : due) {
      var own = told.remove(name);
      var stored = definitions.get("", name);
      var claim = stored == null ? null : claims.at(stored);
      if (stored == null || claim == null) {
        // It was deleted or changed meanwhile; its event follows.
        continue;
      }
      if (own != null && own == stored.revision() && !claim.isPending()) {
        continue;
      }
      var definition = stored.tree();
      if (DefinitionRemoval.isDue(definition)) {
        ending.add(definition);
      } else {
        var group = names.computeIfAbsent(claim.group(), claims::namesOf);
        attempt(name, () -> report(definition, claim, group));
      }
    }
    for (var definition : ending) {
      attempt(ObjectMeta.name(definition), () -> end(snapshot, definition, watched));
    }
    services.keep(snapshot);
    removal.retain(watched.keySet());
    seen = Map.copyOf(watched);
  }

  private void attempt(String name, Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      LOG.warn("definition {} is left for later: {}", name, e.toString());
      unfinished.add(name);
    }
  }

  private void report(JsonObject definition, GroupNames.Claim claim, GroupNames group) {
    long revision =
        write(definition, DefinitionStatus.of(definition, claim, group, clock.instant()));
    if (revision > 0) {
      told.put(claim.definition(), revision);
    }
  }

  private void end(Snapshot snapshot, JsonObject definition, Map<String, Long> watched) {
    var step = removal.next(snapshot, definition, clock.instant());
    var _ = write(definition, step.definition());
    if (!step.storage().isEmpty()) {
      unfinished.add(ObjectMeta.name(definition));
      watched.put(step.storage(), snapshot.collection(step.storage()).changed());
    }
  }

  /**
   * Returns the revision at which the wanted object is stored; 0 when this write did not store it.
   */
  private long write(JsonObject old, JsonObject wanted) {
    if (wanted.equals(old)) {
      return 0;
    }
    var name = ObjectMeta.name(old);
    var replacement = new Replacement(ObjectMeta.resourceVersion(old), wanted);
    long revision = objects.changeStatus(RESOURCE, "", name, replacement);
    return replacement.applies ? revision : 0;
  }

  /** Replaces only the version that was checked. */
  private static final class Replacement implements ServerChange {
    private final String version;
    private final JsonObject wanted;

    /** Whether that version was still current at the last attempt. */
    private boolean applies;

    Replacement(String version, JsonObject wanted) {
      this.version = version;
      this.wanted = wanted;
    }

    @Override
    public @Nullable JsonObject of(@Nullable JsonObject present) {
      applies = present != null && ObjectMeta.resourceVersion(present).equals(version);
      return applies ? wanted : null;
    }
  }
}
