package dev.muster.replica;

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
import org.jspecify.annotations.Nullable;

/**
 * The store's image in decoded form.
 *
 * @param groups the objects by storage location, in key order
 * @param raw what is not an API object, in key order
 */
record LoadedImage(long revision, Map<String, Group> groups, List<Entry> raw) {
  private static final int PIECE = 256;

  /** The objects of one collection. */
  record Group(List<StoredObject> objects, List<UnreadableObject> unreadable) {
    Group() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  private record Located(Entry entry, KeySpace.Place place) {}

  private record Piece(List<Located> located, Future<List<Decoding.Outcome>> outcomes) {}

  /**
   * Reads an image on this thread and decodes it on others.
   *
   * @param known objects in it with an unchanged revision are taken over
   */
  static LoadedImage read(
      Image image, KeySpace keySpace, Decoding decoding, @Nullable Snapshot known, int threads)
      throws InterruptedException {
    var loaded = new LoadedImage(image.revision(), new HashMap<>(), new ArrayList<>());
    var ahead = new ArrayDeque<Piece>();
    var loaders =
        Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("replica-loader-", 0).factory());
    try {
      var piece = new ArrayList<Located>(PIECE);
      for (var entry : image) {
        var place = keySpace.locate(entry.key());
        if (place == null) {
          loaded.raw.add(entry);
          continue;
        }
        piece.add(new Located(entry, place));
        if (piece.size() == PIECE) {
          ahead.add(submit(piece, decoding, known, loaders));
          piece = new ArrayList<>(PIECE);
          if (ahead.size() > 4 * threads) {
            loaded.add(ahead.remove());
          }
        }
      }
      ahead.add(submit(piece, decoding, known, loaders));
      for (var rest : ahead) {
        loaded.add(rest);
      }
    } finally {
      loaders.shutdownNow();
    }
    return loaded;
  }

  private static Piece submit(
      List<Located> piece, Decoding decoding, @Nullable Snapshot known, ExecutorService loaders) {
    return new Piece(piece, loaders.submit(() -> decode(piece, decoding, known)));
  }

  private static List<Decoding.Outcome> decode(
      List<Located> piece, Decoding decoding, @Nullable Snapshot known) {
    var outcomes = new ArrayList<Decoding.Outcome>(piece.size());
    for (var located : piece) {
      var place = located.place;
      var entry = located.entry;
      var old = known == null ? null : known.collection(place.storage()).readable(place.name());
      outcomes.add(
          old != null && old.revision() == entry.modRevision()
              ? new Decoding.Outcome(old, null)
              : decoding.decode(place, entry.key(), entry.value(), entry.modRevision()));
    }
    return outcomes;
  }

  private void add(Piece piece) throws InterruptedException {
    List<Decoding.Outcome> outcomes;
    try {
      outcomes = piece.outcomes.get();
    } catch (ExecutionException failed) {
      throw new IllegalStateException("decoding an image failed", failed.getCause());
    }
    for (int i = 0; i < outcomes.size(); i++) {
      var group = groups.computeIfAbsent(piece.located.get(i).place.storage(), _ -> new Group());
      var outcome = outcomes.get(i);
      if (outcome.object() != null) {
        group.objects.add(outcome.object());
      } else if (outcome.unreadable() != null) {
        group.unreadable.add(outcome.unreadable());
      }
    }
  }
}
