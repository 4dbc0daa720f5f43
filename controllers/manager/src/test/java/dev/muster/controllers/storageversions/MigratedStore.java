package dev.muster.controllers.storageversions;

import dev.muster.controllers.Yaml;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Used by one thread. API servers in memory with a custom or built-in resource: objects lie in the
 * version in which they were written, and are written anew only when that is not today's. The
 * writer dies at a write that the test names, before or after it happened.
 */
final class MigratedStore implements MigrationApi {
  static final MigratedResource THINGS =
      new MigratedResource("example.com", "v1", "things", true, Set.of("list", "patch", "update"));

  /** The controller dies. */
  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The server refuses a write that was made from another version. */
  static final class Conflict extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** How an object lies in the store. */
  record Stored(String storedVersion, long version) {}

  final Map<String, Stored> objects = new TreeMap<>();
  final Map<String, JsonObject> migrations = new TreeMap<>();
  final List<String> told = new ArrayList<>();
  boolean served = true;
  boolean refusing;
  boolean disagreementSeen;
  Optional<String> disagreement = Optional.empty();
  String storage = "v1";
  Runnable beforeEachWrite = () -> {};
  private Optional<JsonObject> definition = Optional.empty();
  private final int pageSize;
  private long version = 98;
  private int writes;
  private int crashAt = -1;
  private boolean crashAfter;

  MigratedStore(int pageSize) {
    this.pageSize = pageSize;
  }

  void dieAtWrite(int number, boolean afterIt) {
    writes = 0;
    crashAt = number;
    crashAfter = afterIt;
  }

  void define() {
    definition =
        Optional.of(
            Yaml.object(
                """
                metadata: {name: things.example.com, uid: d, generation: 1, resourceVersion: '1'}
                spec:
                  versions: [{name: v1, storage: true}, {name: v2}]
                status: {storedVersions: [v1]}
                """));
  }

  JsonObject definition() {
    return definition.orElseThrow();
  }

  /** Another storage version, as a change of the definition or other servers bring it. */
  void store(String newVersion) {
    storage = newVersion;
    definition =
        definition.map(
            old -> {
              var stored = new ArrayList<>(old.object("status").array("storedVersions").strings());
              if (!stored.contains(newVersion)) {
                stored.add(newVersion);
              }
              long generation = old.object("metadata").integer("generation", 0) + 1;
              return Yaml.object(
                      """
                      metadata: {name: things.example.com, uid: d}
                      spec:
                        versions: [{name: v1, storage: %s}, {name: v2, storage: %s}]
                      """
                          .formatted(newVersion.equals("v1"), newVersion.equals("v2")))
                  .with("status", old.object("status"))
                  .withAt(Json.of(generation), "metadata", "generation")
                  .withAt(JsonArray.ofStrings(stored), "status", "storedVersions")
                  .withAt(Json.of(Long.toString(++version)), "metadata", "resourceVersion");
            });
  }

  JsonObject get(String migration) {
    return migration(migration).orElseThrow();
  }

  void put(String name) {
    objects.put(name, new Stored(storage, ++version));
  }

  void migrate(String name, Instant created) {
    migrations.put(
        name,
        Yaml.object(
                """
                metadata: {name: %s, uid: u-%s}
                spec: {resource: {group: example.com, resource: things}}
                """
                    .formatted(name, name))
            .withAt(Json.of(Timestamps.format(created)), "metadata", "creationTimestamp")
            .withAt(Json.of(Long.toString(++version)), "metadata", "resourceVersion"));
  }

  private <T> T write(Supplier<T> change) {
    beforeEachWrite.run();
    int number = writes++;
    if (number == crashAt && !crashAfter) {
      throw new Crash();
    }
    var answer = change.get();
    if (number == crashAt) {
      throw new Crash();
    }
    return answer;
  }

  private static String versionOf(JsonObject object) {
    return object.object("metadata").string("resourceVersion");
  }

  private JsonObject next(JsonObject object) {
    return object.withAt(Json.of(Long.toString(++version)), "metadata", "resourceVersion");
  }

  @Override
  public List<JsonObject> migrations() {
    return List.copyOf(migrations.values());
  }

  @Override
  public Optional<JsonObject> migration(String name) {
    return Optional.ofNullable(migrations.get(name));
  }

  private JsonObject live(JsonObject migration) {
    var now = migrations.get(migration.object("metadata").string("name"));
    if (now == null || !versionOf(now).equals(versionOf(migration))) {
      throw new Conflict();
    }
    return now;
  }

  @Override
  public JsonObject updateStatus(JsonObject migration) {
    return write(
        () -> {
          var before = live(migration);
          var old = before.object("status").string("resourceVersion");
          if (!old.isEmpty() && !old.equals(migration.object("status").string("resourceVersion"))) {
            throw new IllegalStateException("field is immutable");
          }
          return keep(next(before.with("status", migration.object("status"))));
        });
  }

  @Override
  public JsonObject annotate(JsonObject migration, String annotation, String text) {
    return write(
        () -> {
          var annotations = live(migration).object("metadata").object("annotations");
          var changed =
              text.isEmpty() ? annotations.without(annotation) : annotations.with(annotation, text);
          return keep(next(live(migration).withAt(changed, "metadata", "annotations")));
        });
  }

  private JsonObject keep(JsonObject migration) {
    migrations.put(migration.object("metadata").string("name"), migration);
    return migration;
  }

  @Override
  public Optional<MigratedResource> find(String group, String plural) {
    return served ? Optional.of(THINGS) : Optional.empty();
  }

  @Override
  public Optional<String> disagreement(MigratedResource resource) {
    disagreementSeen = disagreement.isPresent();
    return disagreement;
  }

  @Override
  public Optional<JsonObject> definition(MigratedResource resource) {
    return definition;
  }

  @Override
  public JsonObject changeDefinition(JsonObject given, JsonObject status) {
    return write(
        () -> {
          if (!versionOf(given).equals(versionOf(definition()))) {
            throw new Conflict();
          }
          var merged = definition().object("status");
          for (int i = 0; i < status.size(); i++) {
            var value = status.get(status.key(i));
            merged = merged.with(status.key(i), value == null ? JsonNull.NULL : value);
          }
          definition = Optional.of(next(definition().with("status", merged)));
          return definition();
        });
  }

  @Override
  public Page page(MigratedResource resource, String token) {
    var after = token;
    var items = new ArrayList<JsonObject>();
    var next = "";
    for (var object : objects.entrySet()) {
      if (object.getKey().compareTo(after) <= 0) {
        continue;
      }
      if (items.size() == pageSize) {
        next = items.getLast().object("metadata").string("name");
        break;
      }
      items.add(
          Yaml.object("metadata: {name: %s, uid: u}".formatted(object.getKey()))
              .withAt(
                  Json.of(Long.toString(object.getValue().version())),
                  "metadata",
                  "resourceVersion"));
    }
    return new Page(items, Long.toString(version), next);
  }

  @Override
  public Rewrite rewrite(MigratedResource resource, JsonObject metadata) {
    var name = metadata.object("metadata").string("name");
    return write(
        () -> {
          var now = objects.get(name);
          if (refusing) {
            return new Rewrite.Refused("spec.size: Required value");
          }
          if (now == null || !Long.toString(now.version()).equals(versionOf(metadata))) {
            return new Rewrite.Overtaken();
          }
          if (now.storedVersion().equals(storage)) {
            return new Rewrite.Unchanged();
          }
          put(name);
          return new Rewrite.Stored();
        });
  }

  @Override
  public void report(JsonObject migration, boolean warning, String reason, String message) {
    told.add(reason);
  }
}
