package dev.muster.replica;

import static dev.muster.replica.Samples.MAPS;

import com.sun.management.OperatingSystemMXBean;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.Collection;
import dev.muster.replica.snapshot.Index;
import dev.muster.replica.snapshot.ObjectOrder;
import dev.muster.replica.snapshot.WatchCursor;
import dev.muster.replica.tree.SortedTree;
import dev.muster.store.Change;
import dev.muster.store.Commit;
import dev.muster.store.Entry;
import dev.muster.store.Image;
import dev.muster.store.Operation;
import dev.muster.store.Store;
import dev.muster.store.Transaction;
import dev.muster.store.embedded.EmbeddedOptions;
import dev.muster.store.embedded.EmbeddedStore;
import dev.muster.wire.JsonScanner;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Measures what the decision record on the replica states. CPU time, not wall time, repeats. */
final class ReplicaFigures {
  private static final int OBJECTS = 100_000;
  private static final Random RANDOM = new Random(1);

  private ReplicaFigures() {}

  public static void main(String[] args) throws Exception {
    var entries = entries();
    long before = heap();
    var state = state();
    state.load(load(entries));
    long after = heap();
    print("memory of an object of %d bytes", (after - before) / OBJECTS, json(state));
    for (int round = 0; round < 3; round++) {
      apply(state, 1);
      apply(state, 16);
      get(state);
      poll(state);
      list(state);
      labels(state);
      trees(state);
    }
    System.out.printf(
        Locale.ROOT,
        "ring: %d events, %d bytes%n",
        state.table().events(),
        state.table().eventBytes());
    print("memory of an object with its events, %d left", (heap() - before) / OBJECTS, 0);
    restart(entries);
  }

  private static ClusterState state() {
    return new ClusterState(
        Samples.KEYS,
        KeySpaceDefinitions.NONE,
        new Decoding(Samples.KEYS),
        ReplicaOptions.defaults());
  }

  private static List<Entry> entries() {
    var entries = new ArrayList<Entry>();
    for (int i = 0; i < OBJECTS; i++) {
      var namespace = "namespace-%02d".formatted(i % 50);
      var name = "configuration-%06d".formatted(i);
      entries.add(new Entry(MAPS + "/" + namespace + "/" + name, value(namespace, name, i), i + 1));
    }
    entries.sort((a, b) -> a.key().compareTo(b.key()));
    return entries;
  }

  private static byte[] value(String namespace, String name, int version) {
    var labels = Map.of("app", "app-" + version % 500, "tier", "backend");
    return Samples.value(namespace, name, labels, "x".repeat(750) + version);
  }

  private record ListImage(long revision, List<Entry> entries) implements Image {
    @Override
    public Iterator<Entry> iterator() {
      return entries.iterator();
    }

    @Override
    public void close() {}
  }

  private static LoadedImage load(List<Entry> entries) throws InterruptedException {
    var decoding = new Decoding(Samples.KEYS);
    return LoadedImage.read(
        new ListImage(OBJECTS, entries), Samples.KEYS, groups -> Samples.KEYS, decoding, null, 2);
  }

  private static long json(ClusterState state) {
    return state.snapshot().collection(MAPS).all().iterator().next().json().length;
  }

  private static void apply(ClusterState state, int batch) {
    var commits = new ArrayList<Commit>();
    for (int i = 0; i < 30_000; i++) {
      int number = RANDOM.nextInt(OBJECTS);
      var namespace = "namespace-%02d".formatted(number % 50);
      var name = "configuration-%06d".formatted(number);
      var change = new Change(MAPS + "/" + namespace + "/" + name, value(namespace, name, number));
      commits.add(new Commit(state.revision() + i + 1, List.of(change)));
    }
    long start = cpu();
    int waiting = 0;
    for (var commit : commits) {
      state.apply(commit);
      if (++waiting == batch) {
        state.table().trim();
        state.snapshot();
        waiting = 0;
      }
    }
    print("apply, published every %d", (cpu() - start) / commits.size(), batch);
    start = cpu();
    for (var commit : commits) {
      Samples.DECODER.decode(Objects.requireNonNull(commit.changes().getFirst().value()), 1);
    }
    print("of which decoding %d", (cpu() - start) / commits.size(), commits.size());
  }

  private static void get(ClusterState state) {
    var maps = state.snapshot().collection(MAPS);
    var names = new ArrayList<String[]>();
    for (int i = 0; i < 1 << 16; i++) {
      int number = RANDOM.nextInt(OBJECTS);
      names.add(
          new String[] {
            "namespace-%02d".formatted(number % 50), "configuration-%06d".formatted(number)
          });
    }
    long found = 0;
    long start = cpu();
    for (int round = 0; round < 10; round++) {
      for (var name : names) {
        var object = maps.get(name[0], name[1]);
        found += object == null ? 0 : 1;
      }
    }
    print("get, %d found", (cpu() - start) / 10 / names.size(), found);
  }

  private static void poll(ClusterState state) {
    var snapshot = state.snapshot();
    var collectionState = Objects.requireNonNull(snapshot.slot(MAPS));
    long bytes = 0;
    long start = cpu();
    int polled = 0;
    var sum = new long[1];
    for (int round = 0; round < 20; round++) {
      long first =
          collectionState
              .ring()
              .firstAfter(collectionState.ring().floor(), snapshot.collection(MAPS).end());
      var cursor =
          new WatchCursor(
              () -> snapshot, MAPS, collectionState.ring().floor(), collectionState, first);
      polled += cursor.poll(Integer.MAX_VALUE, event -> sum[0] += event.revision());
    }
    print("poll of an event, %d polled", (cpu() - start) / polled, polled);
    start = cpu();
    var cursor =
        new WatchCursor(
            () -> snapshot,
            MAPS,
            snapshot.revision() - 1_000,
            collectionState,
            collectionState
                .ring()
                .firstAfter(snapshot.revision() - 1_000, snapshot.collection(MAPS).end()));
    cursor.poll(1_000, event -> sum[0] += event.modified().length);
    print("encoding of a frame, %d bytes", (cpu() - start) / 1_000, sum[0]);
    start = cpu();
    var idle =
        new WatchCursor(
            () -> snapshot,
            MAPS,
            snapshot.revision(),
            collectionState,
            collectionState.ring().tail());
    for (int i = 0; i < 1_000_000; i++) {
      bytes += idle.poll(10, event -> sum[0] += event.revision());
    }
    print("poll of nothing %d", (cpu() - start) / 1_000_000, bytes);
  }

  private static void list(ClusterState state) {
    var maps = state.snapshot().collection(MAPS);
    long bytes = 0;
    long start = cpu();
    for (int round = 0; round < 10; round++) {
      for (var object : maps.all()) {
        bytes += object.json().length;
      }
    }
    print("iteration per object, %d bytes", (cpu() - start) / 10 / maps.size(), bytes);
    start = cpu();
    for (int round = 0; round < 10_000; round++) {
      bytes += maps.in("namespace-07").count();
    }
    print("counting a namespace, %d", (cpu() - start) / 10_000, bytes);
  }

  private static void labels(ClusterState state) {
    var maps = state.snapshot().collection(MAPS);
    long found = 0;
    long start = cpu();
    for (int round = 0; round < 10; round++) {
      found += maps.withLabel("app", "app-77", null).count();
    }
    print("label scan per object, %d found", (cpu() - start) / 10 / maps.size(), found);
    start = cpu();
    var index = Index.ofLabel("app", treeOf(maps));
    print("label index made, %d", cpu() - start, maps.size());
    start = cpu();
    for (int round = 0; round < 1_000; round++) {
      for (var object : index.range("app-77", null)) {
        found += object.json().length;
      }
    }
    print("label lookup of 200 by index, %d", (cpu() - start) / 1_000, found);
  }

  private static SortedTree<StoredObject> treeOf(Collection maps) {
    var all = new ArrayList<StoredObject>();
    maps.all().forEach(all::add);
    return SortedTree.of(ObjectOrder.BY_NAME, all);
  }

  private static void trees(ClusterState state) {
    var maps = state.snapshot().collection(MAPS);
    long size = 0;
    long start = cpu();
    int count = 0;
    for (var object : maps.in("namespace-03")) {
      size += object.tree().size();
      count++;
    }
    print("parsing into a tree, %d", (cpu() - start) / count, size);
    start = cpu();
    for (var object : maps.in("namespace-03")) {
      size += JsonScanner.string(object.json(), "data", "v").length();
    }
    print("scanning for a field, %d", (cpu() - start) / count, size);
  }

  /** From an open store to the bytes of a list, in a fresh data folder. */
  private static void restart(List<Entry> entries) throws Exception {
    Path folder = Files.createTempDirectory("replica-figures");
    try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder))) {
      fill(store, entries);
    }
    for (int round = 0; round < 3; round++) {
      long start = System.nanoTime();
      try (var store = EmbeddedStore.open(EmbeddedOptions.in(folder))) {
        long opened = System.nanoTime();
        try (var replica = Replica.start(store, Samples.KEYS, ReplicaOptions.defaults())) {
          long cpu = processCpu();
          var snapshot = replica.fresh().join();
          long loaded = System.nanoTime();
          print("loaded on %d", processCpu() - cpu, Runtime.getRuntime().availableProcessors());
          var list = new ByteArrayOutputStream(150 << 20);
          for (var object : snapshot.collection(MAPS).all()) {
            list.writeBytes(object.json());
          }
          System.out.printf(
              Locale.ROOT,
              "restart: store open %d ms, loaded %d ms, list of %d MB %d ms%n",
              (opened - start) / 1_000_000,
              (loaded - opened) / 1_000_000,
              list.size() >> 20,
              (System.nanoTime() - loaded) / 1_000_000);
        }
      }
    }
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  private static void fill(Store store, List<Entry> entries) {
    var done = new ArrayList<CompletableFuture<?>>();
    for (var entry : entries) {
      done.add(
          store.commit(
              Transaction.of(new Operation.Put(entry.key(), entry.value(), Operation.ABSENT))));
    }
    CompletableFuture.allOf(done.toArray(new CompletableFuture<?>[0])).join();
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long processCpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static long heap() {
    var memory = ManagementFactory.getMemoryMXBean();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return memory.getHeapMemoryUsage().getUsed();
  }

  private static void print(String what, long nanosOrBytes, long detail) {
    System.out.printf(Locale.ROOT, "%8d  " + what + "%n", nanosOrBytes, detail);
  }
}
