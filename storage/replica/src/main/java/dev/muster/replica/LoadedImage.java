package dev.muster.replica;

import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.LastReadableObject;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Entry;
import dev.muster.store.Image;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A decoded image of the store.
 *
 * @param keySpace the key space at the image's revision
 * @param groups the objects by storage location, in key order
 * @param raw the entries that are not API objects, in key order
 */
record LoadedImage(long revision, KeySpace keySpace, Map<String, Group> groups, List<Entry> raw) {
  private static final int PIECE = 256;

  /** The objects of one collection. */
  record Group(List<StoredObject> objects, List<LastReadableObject> lost) {
    Group() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(Decoding.Outcome outcome) {
      if (outcome.object() != null) {
        objects.add(outcome.object());
      } else if (outcome.lost() != null) {
        lost.add(outcome.lost());
      }
    }
  }

  private record Located(Entry entry, KeySpace.KeyLocation place) {}

  private record Piece(List<Located> located, Future<List<Decoding.Outcome>> outcomes) {}

  /**
   * Reads an image on the calling thread and decodes it on loader threads. Decodes the built-in
   * collections first, because they hold the definitions of all other collections.
   *
   * @param first the built-in collections
   * @param redefinition computes the key space from the definitions in the built-in collections
   * @param known a snapshot whose objects are reused where their revision is unchanged
   */
  static LoadedImage read(
      Image image,
      KeySpace first,
      Function<Map<String, Group>, KeySpace> redefinition,
      Decoding decoding,
      @Nullable Snapshot known,
      int threads)
      throws InterruptedException {
    var loaders =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("replica-loader-", 0).factory());
    try {
      var reading = new Reading(decoding, known, loaders, 4 * threads);
      var others = reading.decode(image, first);
      var keySpace = redefinition.apply(reading.groups);
      var raw = keySpace == first ? others : reading.decode(others, keySpace);
      return new LoadedImage(image.revision(), keySpace, reading.groups, raw);
    } finally {
      loaders.shutdownNow();
    }
  }

  /** Decodes entries on loader threads, a few pieces ahead. Only the applier thread calls it. */
  private static final class Reading {
    final Map<String, Group> groups = new HashMap<>();
    private final ArrayDeque<Piece> ahead = new ArrayDeque<>();
    private final Decoding decoding;
    private final @Nullable Snapshot known;
    private final ExecutorService loaders;
    private final int most;

    Reading(Decoding decoding, @Nullable Snapshot known, ExecutorService loaders, int most) {
      this.decoding = decoding;
      this.known = known;
      this.loaders = loaders;
      this.most = most;
    }

    /** Decodes all entries into their groups; returns the entries that belong to no collection. */
    List<Entry> decode(Iterable<Entry> entries, KeySpace keySpace) throws InterruptedException {
      var raw = new ArrayList<Entry>();
      var piece = new ArrayList<Located>(PIECE);
      for (var entry : entries) {
        var place = keySpace.locate(entry.key());
        if (place == null) {
          raw.add(entry);
          continue;
        }
        piece.add(new Located(entry, place));
        if (piece.size() == PIECE) {
          submit(piece);
          piece = new ArrayList<>(PIECE);
          if (ahead.size() > most) {
            add(ahead.remove());
          }
        }
      }
      submit(piece);
      while (!ahead.isEmpty()) {
        add(ahead.remove());
      }
      return raw;
    }

    private void submit(List<Located> piece) {
      ahead.add(new Piece(piece, loaders.submit(() -> decode(piece))));
    }

    private List<Decoding.Outcome> decode(List<Located> piece) {
      var outcomes = new ArrayList<Decoding.Outcome>(piece.size());
      for (var located : piece) {
        var place = located.place;
        var entry = located.entry;
        var old = known(place);
        outcomes.add(
            old != null && old.revision() == entry.modRevision()
                ? new Decoding.Outcome(old, null)
                : decoding.decode(place, entry));
      }
      return outcomes;
    }

    /** The known object of that name, or null when another collection definition decoded it. */
    private @Nullable StoredObject known(KeySpace.KeyLocation place) {
      return known == null || known.keySpace().collection(place.storage()) != place.collection()
          ? null
          : known.collection(place.storage()).readable(place.name());
    }

    private void add(Piece piece) throws InterruptedException {
      List<Decoding.Outcome> outcomes;
      try {
        outcomes = piece.outcomes.get();
      } catch (ExecutionException failed) {
        throw new IllegalStateException("decoding an image failed", failed.getCause());
      }
      for (int i = 0; i < outcomes.size(); i++) {
        var storage = piece.located.get(i).place.storage();
        groups.computeIfAbsent(storage, _ -> new Group()).add(outcomes.get(i));
      }
    }
  }
}
