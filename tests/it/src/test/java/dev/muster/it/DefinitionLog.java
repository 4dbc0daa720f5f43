package dev.muster.it;

import dev.muster.it.history.DefinitionChecker.Change;
import dev.muster.it.history.DefinitionChecker.Defined;
import dev.muster.it.history.DefinitionChecker.Removed;
import dev.muster.it.history.DefinitionChecker.Stored;
import dev.muster.it.history.DefinitionChecker.Undefined;
import dev.muster.model.json.JsonObject;
import dev.muster.store.Feed;
import dev.muster.store.etcd.EtcdOptions;
import dev.muster.store.etcd.EtcdStore;
import dev.muster.wire.JsonReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Filled by a thread of its own, read by any. What etcd itself says about one definition and its
 * objects, in its order.
 */
final class DefinitionLog implements AutoCloseable {
  private final String definition;
  private final String objects;
  private final EtcdStore store;
  private final Feed feed;
  private final List<Change> changes = new ArrayList<>();
  private final Thread reader;
  private long revision;
  private volatile boolean closed;

  /** Follows from now on. */
  DefinitionLog(String[] endpoints, String group, String plural) {
    definition = "/apiextensions.k8s.io/customresourcedefinitions/" + plural + "." + group;
    objects = "/" + group + "/" + plural + "/";
    store = EtcdStore.open(EtcdOptions.at(endpoints));
    feed = store.follow(store.readIndex().join());
    reader = Thread.ofVirtual().name("definition log").start(this::read);
  }

  private void read() {
    try {
      while (!closed) {
        for (var commit : feed.take(Duration.ofMillis(200))) {
          see(commit.revision(), commit.changes());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void see(long at, List<dev.muster.store.Change> changed) {
    revision = at;
    for (var change : changed) {
      if (change.key().equals(definition)) {
        changes.add(change.value() == null ? new Undefined(at) : defined(at, change.value()));
      } else if (change.key().startsWith(objects)) {
        changes.add(
            change.value() == null
                ? new Removed(at, change.key())
                : stored(at, change.key(), change.value()));
      }
    }
  }

  private static Defined defined(long at, byte[] value) {
    for (var version : read(value).object("spec").array("versions")) {
      var object = (JsonObject) version;
      if (object.isTrue("storage")) {
        var form =
            object
                .object("schema", "openAPIV3Schema", "properties", "spec", "properties", "form")
                .integer("default", -1);
        return new Defined(at, form, object.string("name"));
      }
    }
    throw new IllegalStateException("no storage version");
  }

  private static Stored stored(long at, String key, byte[] value) {
    var object = read(value);
    var version = object.string("apiVersion");
    return new Stored(
        at,
        key,
        object.object("spec").integer("form", -1),
        version.substring(version.indexOf('/') + 1));
  }

  private static JsonObject read(byte[] value) {
    return (JsonObject) JsonReader.read(value);
  }

  synchronized long revision() {
    return revision;
  }

  synchronized List<Change> changes() {
    return List.copyOf(changes);
  }

  synchronized long count(Class<? extends Change> kind) {
    return changes.stream().filter(kind::isInstance).count();
  }

  @Override
  public void close() {
    closed = true;
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    feed.close();
    store.close();
  }
}
