package dev.muster.replica.tree;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.store.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SortedTreeTest {
  private static final byte[] NOTHING = {};

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void holdsWhatASortedMapHolds(long seed) {
    var random = new Random(seed);
    var model = new TreeMap<String, Entry>();
    var tree = SortedTree.empty(SortOrder.BY_KEY);
    for (int step = 0; step < 30_000; step++) {
      // Grows, stays, and shrinks to nothing.
      boolean put = random.nextInt(30_000) > step;
      var key = "k" + random.nextInt(4_000);
      if (put) {
        var entry = new Entry(key, NOTHING, step);
        model.put(key, entry);
        tree = tree.put(entry);
      } else {
        model.remove(key);
        tree = tree.remove(Probe.of("", key));
      }
      if (step % 500 == 0) {
        check(tree, model, random);
      }
    }
    for (var key : List.copyOf(model.keySet())) {
      model.remove(key);
      tree = tree.remove(Probe.of("", key));
    }
    check(tree, model, random);
  }

  @Test
  void earlierVersionsStayAsTheyWere() {
    var random = new Random(5);
    var versions = new ArrayList<SortedTree<Entry>>();
    var contents = new ArrayList<SortedMap<String, Entry>>();
    var model = new TreeMap<String, Entry>();
    var tree = SortedTree.empty(SortOrder.BY_KEY);
    for (int step = 0; step < 500; step++) {
      var entry = new Entry("k" + random.nextInt(300), NOTHING, step);
      if (random.nextInt(3) == 0) {
        model.remove(entry.key());
        tree = tree.remove(Probe.of("", entry.key()));
      } else {
        model.put(entry.key(), entry);
        tree = tree.put(entry);
      }
      versions.add(tree);
      contents.add(new TreeMap<>(model));
    }
    for (int i = 0; i < versions.size(); i++) {
      check(versions.get(i), contents.get(i), random);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 28, 29, 1_000, 50_000})
  void canBeBuiltAtOnceAndChangedAfterwards(int size) {
    var model = new TreeMap<String, Entry>();
    for (int i = 0; i < size; i++) {
      model.put("k" + i, new Entry("k" + i, NOTHING, i));
    }
    var tree = SortedTree.of(SortOrder.BY_KEY, List.copyOf(model.values()));
    var random = new Random(size);
    check(tree, model, random);
    for (int i = 0; i < size; i += 7) {
      model.remove("k" + i);
      tree = tree.remove(Probe.of("", "k" + i));
      var entry = new Entry("n" + i, NOTHING, i);
      model.put(entry.key(), entry);
      tree = tree.put(entry);
    }
    check(tree, model, random);
  }

  @Test
  void canBeBuiltOfUnsortedItems() {
    var items = new ArrayList<Entry>();
    var model = new TreeMap<String, Entry>();
    for (int i = 0; i < 2_000; i++) {
      var entry = new Entry("k" + i, NOTHING, i);
      items.add(entry);
      model.put(entry.key(), entry);
    }
    Collections.shuffle(items, new Random(1));
    check(SortedTree.of(SortOrder.BY_KEY, items), model, new Random(2));
  }

  @Test
  void itemsThatArriveInOrderFillTheNodes() {
    var tree = SortedTree.empty(SortOrder.BY_KEY);
    for (int i = 0; i < 100_000; i++) {
      tree = tree.put(new Entry("k%06d".formatted(i), NOTHING, i));
    }
    assertThat(tree.size()).isEqualTo(100_000);
    assertThat(tree.leaves()).isLessThan(100_000 / 24);
  }

  private static void check(SortedTree<Entry> tree, SortedMap<String, Entry> model, Random random) {
    assertThat(tree.size()).isEqualTo(model.size());
    var all = List.copyOf(model.values());
    var walked = new ArrayList<Entry>();
    tree.iterator(0, tree.size()).forEachRemaining(walked::add);
    assertThat(walked).isEqualTo(all);
    for (int i = 0; i < 20; i++) {
      var key = (random.nextBoolean() ? "k" : "n") + random.nextInt(5_000);
      assertThat(tree.get(Probe.of("", key))).isSameAs(model.get(key));
      int rank = tree.rank(Probe.of("", key));
      assertThat(rank).isEqualTo(model.headMap(key).size());
      int to = rank + random.nextInt(all.size() - rank + 1);
      var part = new ArrayList<Entry>();
      tree.iterator(rank, to).forEachRemaining(part::add);
      assertThat(part).isEqualTo(all.subList(rank, to));
    }
  }
}
