package dev.muster.embedded;

import dev.muster.model.json.JsonObject;
import dev.muster.store.Entry;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.wire.JsonReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All objects of a cluster at one moment. Immutable.
 *
 * @param entries by key
 */
public record Checkpoint(Map<String, Entry> entries) {
  private static final String DEFINITIONS = "/apiextensions.k8s.io/customresourcedefinitions/";

  /** Objects that running servers write about themselves, which a reset must not change. */
  private static final List<String> HEARTBEATS =
      List.of(
          "/masterleases/",
          "/musterleases/",
          "/leases/kube-apiserver-lease/",
          "/apiservercoordination.k8s.io/");

  public Checkpoint {
    entries = Map.copyOf(entries);
  }

  static Checkpoint of(Store store) {
    var entries = new HashMap<String, Entry>();
    try (var image = store.image()) {
      for (var entry : image) {
        entries.put(entry.key(), entry);
      }
    }
    return new Checkpoint(entries);
  }

  /** The existing objects that were written since. */
  List<Entry> changedIn(Checkpoint later) {
    return later.entries.values().stream()
        .filter(entry -> !isHeartbeat(entry.key()) && !isSame(entries.get(entry.key()), entry))
        .sorted(Comparator.comparingLong(Entry::modRevision))
        .toList();
  }

  /** Whether an object of this checkpoint no longer exists, even if another one has its name. */
  boolean hasLostIn(Checkpoint later) {
    return entries.values().stream()
        .filter(entry -> !isHeartbeat(entry.key()))
        .anyMatch(entry -> !isAliveIn(later.entries.get(entry.key()), entry));
  }

  private static boolean isAliveIn(@Nullable Entry present, Entry entry) {
    return present != null && (isSame(present, entry) || uid(present).equals(uid(entry)));
  }

  /** "" for an entry that is not an object. */
  private static String uid(Entry entry) {
    boolean json = entry.value().length > 0 && entry.value()[0] == '{';
    return json && JsonReader.read(entry.value()) instanceof JsonObject object
        ? object.object("metadata").string("uid")
        : "";
  }

  /**
   * The operations that lead from a later state back to this one, in an order in which definitions
   * exist whenever their objects do.
   */
  List<Operation> restoring(Checkpoint later) {
    var operations = new ArrayList<Operation>();
    for (var entry : entries.values()) {
      if (!isHeartbeat(entry.key()) && !isSame(entry, later.entries.get(entry.key()))) {
        operations.add(new Operation.Put(entry.key(), entry.value(), Operation.ANY));
      }
    }
    for (var key : later.entries.keySet()) {
      if (!isHeartbeat(key) && !entries.containsKey(key)) {
        operations.add(new Operation.Delete(key, Operation.ANY));
      }
    }
    operations.sort(Comparator.comparingInt(Checkpoint::turn).thenComparing(Operation::key));
    return operations;
  }

  private static int turn(Operation operation) {
    if (!operation.key().startsWith(DEFINITIONS)) {
      return 1;
    }
    return operation instanceof Operation.Put ? 0 : 2;
  }

  private static boolean isSame(@Nullable Entry one, @Nullable Entry other) {
    return one != null
        && other != null
        && (one.modRevision() == other.modRevision() || Arrays.equals(one.value(), other.value()));
  }

  private static boolean isHeartbeat(String key) {
    return HEARTBEATS.stream().anyMatch(key::startsWith);
  }
}
