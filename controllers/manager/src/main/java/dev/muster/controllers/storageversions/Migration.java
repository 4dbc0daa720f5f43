package dev.muster.controllers.storageversions;

import dev.muster.controllers.storageversions.MigrationApi.Rewrite;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;

/**
 * Carries out StorageVersionMigrations. Each call continues from the state in the objects, so it
 * can be interrupted anywhere. One thread at a time calls it for a migration.
 *
 * <pre>
 * an older migration of the resource runs   waits
 * resource unknown for a minute             Failed
 * servers disagree                          Running=False, checks again, then starts anew
 * servers agree                             Running=True, page by page, progress in the object
 * the definition has changed                starts anew
 * a server refuses an object                Failed
 * all pages done, servers still agree       storedVersions pruned, Succeeded
 * </pre>
 */
final class Migration {
  /** Discovery may not list a new resource yet. */
  private static final Duration UNKNOWN_RESOURCE = Duration.ofMinutes(1);

  /** How often a running migration checks that servers still agree. */
  private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(1);

  private final MigrationApi api;
  private final InstantSource clock;
  private final String term;
  private final Duration pause;

  /**
   * @param term unique among all runs of controllers
   * @param pause between two checks while the migration cannot continue
   */
  Migration(MigrationApi api, InstantSource clock, String term, Duration pause) {
    this.api = api;
    this.clock = clock;
    this.term = term;
    this.pause = pause;
  }

  /** Continues as far as possible; returns the time until the next call, if one is needed. */
  Optional<Duration> advance(String name) {
    var found = api.migration(name);
    if (found.isEmpty() || isDone(found.get())) {
      return Optional.empty();
    }
    var migration = found.get();
    if (!isFirst(migration)) {
      return Optional.of(pause);
    }
    var wanted = migration.object("spec").object("resource");
    var resource = api.find(wanted.string("group"), wanted.string("resource"));
    if (resource.isEmpty()) {
      return unknown(migration);
    }
    if (!resource.get().isMigratable()) {
      return fail(migration, resource, resource.get().refusal());
    }
    return run(migration, resource.get());
  }

  /**
   * Whether the migration has ended; completes final steps that a former controller left undone.
   */
  private boolean isDone(JsonObject migration) {
    if (!MigrationStatus.isOver(migration)) {
      return false;
    }
    if (MigrationStatus.is(migration, MigrationStatus.RUNNING)) {
      api.updateStatus(MigrationStatus.ended(migration, clock.instant()));
    } else if (MigrationProgress.read(migration).isPresent()) {
      api.annotate(migration, MigrationProgress.ANNOTATION, "");
    }
    return true;
  }

  /** The oldest migration of a resource that has not ended runs first. */
  private boolean isFirst(JsonObject migration) {
    return api.migrations().stream()
        .filter(other -> !MigrationStatus.isOver(other))
        .filter(other -> resource(other).equals(resource(migration)))
        .min(Comparator.comparing(Migration::created).thenComparing(Migration::name))
        .map(first -> name(first).equals(name(migration)))
        .orElse(true);
  }

  private static JsonObject resource(JsonObject migration) {
    return migration.object("spec").object("resource");
  }

  private static Instant created(JsonObject migration) {
    var time = Timestamps.read(migration.object("metadata").get("creationTimestamp"));
    return time == null ? Instant.EPOCH : time;
  }

  private static String name(JsonObject migration) {
    return migration.object("metadata").string("name");
  }

  private Optional<Duration> unknown(JsonObject migration) {
    return created(migration).plus(UNKNOWN_RESOURCE).isAfter(clock.instant())
        ? Optional.of(pause)
        : fail(migration, Optional.empty(), "resource does not exist in discovery");
  }

  private Optional<Duration> run(JsonObject migration, MigratedResource resource) {
    var trouble = api.disagreement(resource);
    if (trouble.isPresent()) {
      return halt(migration, trouble.get());
    }
    long generation = mark(migration, resource);
    var former = MigrationProgress.read(migration);
    boolean goesOn =
        MigrationStatus.is(migration, MigrationStatus.RUNNING)
            && former.isPresent()
            && former.get().counts(generation, term);
    return goesOn
        ? pages(migration, resource, former.get())
        : begin(migration, resource, generation);
  }

  /**
   * Records in the definition that this generation is migrated; returns the generation, or 0
   * without a definition.
   */
  private long mark(JsonObject migration, MigratedResource resource) {
    var definition = api.definition(resource);
    if (definition.isEmpty()) {
      return 0;
    }
    var marked = definition.get();
    if (!DefinitionMarks.isMarked(marked)) {
      var status = DefinitionMarks.begun(marked, name(migration), clock.instant());
      marked = api.changeDefinition(marked, status);
    }
    return DefinitionMarks.generation(marked);
  }

  /**
   * Reads the resource version after the mark, so that everything written later is in the storage
   * version.
   */
  private Optional<Duration> begin(
      JsonObject migration, MigratedResource resource, long generation) {
    var first = api.page(resource, "");
    var progress = MigrationProgress.begin(first.version(), generation, term);
    var noted = api.annotate(migration, MigrationProgress.ANNOTATION, progress.text());
    if (noted.object("status").string("resourceVersion").isEmpty()) {
      noted = noted.withAt(Json.of(progress.since()), "status", "resourceVersion");
    }
    var running =
        api.updateStatus(
            MigrationStatus.running(
                noted, true, "MigrationRunning", "The migration is running", clock.instant()));
    api.report(running, false, "MigrationRunning", "objects are written in the storage version");
    return pages(running, resource, progress);
  }

  private Optional<Duration> pages(
      JsonObject migration, MigratedResource resource, MigrationProgress begun) {
    var current = migration;
    var progress = begun;
    var checked = clock.instant();
    while (true) {
      var page = api.page(resource, progress.next());
      long written = 0;
      for (var item : page.items()) {
        if (Duration.between(checked, clock.instant()).compareTo(BETWEEN_CHECKS) >= 0) {
          var trouble = api.disagreement(resource);
          if (trouble.isPresent()) {
            return halt(current, trouble.get());
          }
          checked = clock.instant();
        }
        switch (progress.covers(item) ? new Rewrite.Overtaken() : api.rewrite(resource, item)) {
          case Rewrite.Stored() -> written++;
          case Rewrite.Unchanged(), Rewrite.Overtaken() -> {}
          case Rewrite.Refused(var why) -> {
            return fail(current, Optional.of(resource), place(item) + ": " + why);
          }
        }
      }
      progress = progress.after(page, written);
      var trouble = api.disagreement(resource);
      if (trouble.isPresent()) {
        return halt(current, trouble.get());
      }
      checked = clock.instant();
      if (page.next().isEmpty()) {
        return finish(current, resource, progress);
      }
      current = note(current, progress);
    }
  }

  private static String place(JsonObject item) {
    var metadata = item.object("metadata");
    var namespace = metadata.string("namespace");
    return (namespace.isEmpty() ? "" : namespace + "/") + metadata.string("name");
  }

  private JsonObject note(JsonObject migration, MigrationProgress progress) {
    var noted = api.annotate(migration, MigrationProgress.ANNOTATION, progress.text());
    return api.updateStatus(
        MigrationStatus.running(
            noted, true, "MigrationRunning", progress.message(), clock.instant()));
  }

  private Optional<Duration> finish(
      JsonObject migration, MigratedResource resource, MigrationProgress progress) {
    var definition = api.definition(resource);
    long generation = definition.map(DefinitionMarks::generation).orElse(0L);
    if (generation != progress.generation()) {
      return Optional.of(Duration.ZERO);
    }
    if (definition.isPresent()) {
      // With a precondition: if the definition has changed, it is checked again.
      api.changeDefinition(
          definition.get(), DefinitionMarks.succeeded(definition.get(), clock.instant()));
    }
    var over =
        api.updateStatus(MigrationStatus.succeeded(migration, progress.message(), clock.instant()));
    api.report(over, false, "MigrationSucceeded", progress.message());
    api.annotate(over, MigrationProgress.ANNOTATION, "");
    return Optional.empty();
  }

  /** Discards the progress, because objects may be written in another version meanwhile. */
  private Optional<Duration> halt(JsonObject migration, String why) {
    var halted = MigrationStatus.running(migration, false, "ServersDisagree", why, clock.instant());
    if (!halted.equals(migration)) {
      var told = api.updateStatus(halted);
      api.report(told, true, "ServersDisagree", why);
    }
    return Optional.of(pause);
  }

  private Optional<Duration> fail(
      JsonObject migration, Optional<MigratedResource> resource, String why) {
    resource
        .flatMap(api::definition)
        .filter(DefinitionMarks::isMigrating)
        .ifPresent(
            definition ->
                api.changeDefinition(
                    definition, DefinitionMarks.failed(definition, clock.instant())));
    var over = api.updateStatus(MigrationStatus.failed(migration, why, clock.instant()));
    api.report(over, true, "MigrationFailed", why);
    return Optional.empty();
  }
}
