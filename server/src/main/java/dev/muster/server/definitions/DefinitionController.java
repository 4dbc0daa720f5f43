package dev.muster.server.definitions;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.apis.DefinitionRemoval;
import dev.muster.registry.rules.apis.DefinitionStatus;
import dev.muster.registry.rules.apis.GroupNames;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.replica.Replica;
import dev.muster.replica.Snapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything in this class but {@link #published} runs on the virtual thread that runs it. Keeps
 * the status of definitions and the APIServices of their groups, and carries out their deletion,
 * whenever a snapshot has news of them. Every server does so: what is written follows from one
 * snapshot and only replaces what that snapshot holds, so who comes second finds it done.
 */
public final class DefinitionController implements Runnable {
  static final String DEFINITIONS = "/apiextensions.k8s.io/customresourcedefinitions";
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionController.class);
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Map<String, Long> UNSEEN = Map.of(DEFINITIONS, -1L);

  private final DefinitionWrites objects;
  private final Replica replica;
  private final InstantSource clock;
  private final BooleanSupplier stopped;
  private final ObjectRemoval removal;
  private final DefinedApiServices services;

  /** What is known of each definition that has been looked at; never a whole one. */
  private final Map<String, GroupNames.Claim> claims = new HashMap<>();

  /** Definitions that are to be looked at again, though they have not changed. */
  private final Set<String> unfinished = new HashSet<>();

  private final Semaphore news = new Semaphore(1);

  /** When collections changed last as far as they were looked at; replaced as a whole. */
  private volatile Map<String, Long> seen = UNSEEN;

  public DefinitionController(
      DefinitionWrites objects, Replica replica, InstantSource clock, BooleanSupplier stopped) {
    this.objects = objects;
    this.replica = replica;
    this.clock = clock;
    this.stopped = stopped;
    this.removal = new ObjectRemoval(objects, replica);
    this.services = new DefinedApiServices(objects);
  }

  @Override
  public void run() {
    try (var _ = replica.onPublish(this::published)) {
      while (!stopped.getAsBoolean()) {
        var _ = news.tryAcquire(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        news.drainPermits();
        if (replica.ready() && (!unfinished.isEmpty() || isNew(replica.current()))) {
          lookOrStartOver();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A snapshot may become too old to be read while it is looked at. */
  private void lookOrStartOver() {
    try {
      look(replica.current());
    } catch (RuntimeException e) {
      LOG.debug("all definitions are looked at once more", e);
      claims.clear();
      seen = UNSEEN;
    }
  }

  /** Runs on the applier's thread: only looks whether something has changed. */
  private void published() {
    if (isNew(replica.current())) {
      news.release();
    }
  }

  private boolean isNew(Snapshot snapshot) {
    return seen.entrySet().stream()
        .anyMatch(each -> snapshot.collection(each.getKey()).changed() != each.getValue());
  }

  private void look(Snapshot snapshot) {
    var definitions = snapshot.collection(DEFINITIONS);
    var due = new HashSet<>(unfinished);
    var groups = new HashSet<String>();
    var present = new HashSet<String>();
    for (var stored : definitions.all()) {
      var name = stored.name().name();
      present.add(name);
      var known = claims.get(name);
      if (known == null || known.revision() != stored.revision()) {
        var claim = GroupNames.Claim.of(stored.tree(), stored.revision());
        claims.put(name, claim);
        due.add(name);
        if (known == null || !known.accepted().equals(claim.accepted())) {
          groups.add(claim.group());
        }
      }
    }
    claims
        .values()
        .removeIf(
            claim -> {
              boolean gone = !present.contains(claim.definition());
              if (gone) {
                groups.add(claim.group());
              }
              return gone;
            });
    claims.values().stream()
        .filter(claim -> groups.contains(claim.group()) && claim.isPending())
        .forEach(claim -> due.add(claim.definition()));
    settle(snapshot, due);
  }

  private void settle(Snapshot snapshot, Set<String> due) {
    var definitions = snapshot.collection(DEFINITIONS);
    var watched = new HashMap<String, Long>();
    watched.put(DEFINITIONS, definitions.changed());
    watched.put(
        DefinedApiServices.STORAGE, snapshot.collection(DefinedApiServices.STORAGE).changed());
    var names = new HashMap<String, GroupNames>();
    var ending = new ArrayList<JsonObject>();
    unfinished.clear();
    for (var name : due) {
      var stored = definitions.get("", name);
      var definition = stored == null ? JsonObject.EMPTY : stored.tree();
      if (DefinitionRemoval.isDue(definition)) {
        ending.add(definition);
      } else if (stored != null) {
        attempt(name, () -> tell(definition, names));
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

  private void tell(JsonObject definition, Map<String, GroupNames> names) {
    var claim = claims.get(ObjectMeta.name(definition));
    if (claim != null) {
      var group = names.computeIfAbsent(claim.group(), this::namesOf);
      write(definition, DefinitionStatus.of(definition, claim, group, clock.instant()));
    }
  }

  private void end(Snapshot snapshot, JsonObject definition, Map<String, Long> watched) {
    var step = removal.next(snapshot, definition, clock.instant());
    write(definition, step.definition());
    if (!step.storage().isEmpty()) {
      unfinished.add(ObjectMeta.name(definition));
      watched.put(step.storage(), snapshot.collection(step.storage()).changed());
    }
  }

  private GroupNames namesOf(String group) {
    return GroupNames.of(
        claims.values().stream().filter(claim -> claim.group().equals(group)).toList());
  }

  /** Replaces the very version that was looked at, and no other. */
  private void write(JsonObject old, JsonObject wanted) {
    if (wanted.equals(old)) {
      return;
    }
    var version = ObjectMeta.resourceVersion(old);
    objects.changeStatus(
        RESOURCE,
        "",
        ObjectMeta.name(old),
        present ->
            present != null && ObjectMeta.resourceVersion(present).equals(version) ? wanted : null);
  }
}
