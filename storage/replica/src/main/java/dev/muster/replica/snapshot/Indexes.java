package dev.muster.replica.snapshot;

import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.tree.SortedTree;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The field indexes and label indexes of a collection. Immutable, except for the counters of
 * demand.
 *
 * @param fields the indexes of the fields that the resource declares
 * @param labels the indexes of frequently requested labels
 * @param demand counts lookups by label
 */
record Indexes(List<Index> fields, List<Index> labels, LabelDemand demand) {
  static final Indexes NONE = new Indexes(List.of(), List.of(), new LabelDemand());

  static Indexes of(List<IndexedField> fields, SortedTree<StoredObject> objects) {
    var indexes =
        IntStream.range(0, fields.size())
            .mapToObj(i -> Index.ofField(fields.get(i).field(), i, objects))
            .toList();
    return new Indexes(indexes, List.of(), new LabelDemand());
  }

  /** The indexes after a change of one object. */
  Indexes changed(@Nullable StoredObject before, @Nullable StoredObject after) {
    return fields.isEmpty() && labels.isEmpty()
        ? this
        : new Indexes(changed(fields, before, after), changed(labels, before, after), demand);
  }

  private static List<Index> changed(
      List<Index> indexes, @Nullable StoredObject before, @Nullable StoredObject after) {
    return indexes.isEmpty()
        ? indexes
        : indexes.stream().map(index -> index.changed(before, after)).toList();
  }

  /** The indexes with label indexes for exactly those labels. */
  Indexes withLabels(List<String> keys, SortedTree<StoredObject> objects) {
    var wanted = keys.stream().map(key -> labelled(key, objects)).toList();
    return new Indexes(fields, wanted, demand);
  }

  private Index labelled(String key, SortedTree<StoredObject> objects) {
    var known = ofLabel(key);
    return known == null ? Index.ofLabel(key, objects) : known;
  }

  @Nullable Index ofField(String field) {
    return named(fields, field);
  }

  @Nullable Index ofLabel(String key) {
    return named(labels, key);
  }

  private static @Nullable Index named(List<Index> indexes, String name) {
    for (var index : indexes) {
      if (index.name().equals(name)) {
        return index;
      }
    }
    return null;
  }
}
