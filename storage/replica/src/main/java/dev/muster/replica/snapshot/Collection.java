package dev.muster.replica.snapshot;

import dev.muster.model.ObjectName;
import dev.muster.model.select.LabelRequirement;
import dev.muster.model.select.LabelRequirement.Operator;
import dev.muster.model.select.LabelSelector;
import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.UnreadableObject;
import dev.muster.replica.tree.Probe;
import dev.muster.replica.tree.SortedTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one stored resource at one revision, in the order of their store keys. Immutable.
 */
public final class Collection {
  public static final Collection EMPTY =
      new Collection(
          SortedTree.empty(ObjectOrder.BY_NAME),
          NameTable.EMPTY,
          Indexes.NONE,
          SortedTree.empty(LastReadableObject.ORDER),
          0,
          0);

  private final SortedTree<StoredObject> objects;
  private final NameTable names;
  private final Indexes indexes;
  private final SortedTree<LastReadableObject> lost;
  private final long changed;
  private final long end;

  private Collection(
      SortedTree<StoredObject> objects,
      NameTable names,
      Indexes indexes,
      SortedTree<LastReadableObject> lost,
      long changed,
      long end) {
    this.objects = objects;
    this.names = names;
    this.indexes = indexes;
    this.lost = lost;
    this.changed = changed;
    this.end = end;
  }

  /** Creates a collection. Faster when the objects are sorted by key. */
  public static Collection of(
      List<StoredObject> objects,
      List<LastReadableObject> lost,
      List<IndexedField> fields,
      long revision,
      long end) {
    var tree = SortedTree.of(ObjectOrder.BY_NAME, objects);
    var unreadable = SortedTree.of(LastReadableObject.ORDER, lost);
    var indexes = Indexes.of(fields, tree);
    return new Collection(tree, NameTable.of(objects), indexes, unreadable, revision, end);
  }

  /** The collection after a change of one object. */
  public Collection changed(
      @Nullable StoredObject before, @Nullable StoredObject after, long revision, long newEnd) {
    var tree = objects;
    var table = names;
    if (after != null) {
      tree = tree.put(after);
      table = table.put(after);
    } else if (before != null) {
      tree = tree.remove(ObjectOrder.BY_NAME.probe(before));
      table = table.remove(before);
    }
    return new Collection(tree, table, indexes.changed(before, after), lost, revision, newEnd);
  }

  /** The collection with that object added to the unreadable ones. */
  public Collection with(LastReadableObject object) {
    return new Collection(objects, names, indexes, lost.put(object), changed, end);
  }

  /** The collection with that object removed from the unreadable ones. */
  public Collection without(LastReadableObject object) {
    var rest = lost.remove(LastReadableObject.ORDER.probe(object));
    return new Collection(objects, names, indexes, rest, changed, end);
  }

  /** The collection with label indexes for exactly those labels. */
  public Collection indexed(List<String> keys) {
    var wanted = indexes.withLabels(keys, objects);
    return new Collection(objects, names, wanted, lost, changed, end);
  }

  /** The same objects, changed at that revision, with that end of events. */
  public Collection at(long revision, long newEnd) {
    return new Collection(objects, names, indexes, lost, revision, newEnd);
  }

  /**
   * The object of that name, or null.
   *
   * @throws ReplicaException.Unreadable when the object exists and its value cannot be decoded
   */
  public @Nullable StoredObject get(String namespace, String name) {
    var object = names.get(namespace, name);
    if (object == null && lost.size() > 0) {
      var unreadable = lost.get(Probe.of(namespace, name));
      if (unreadable != null) {
        throw new ReplicaException.Unreadable(unreadable.object());
      }
    }
    return object;
  }

  public @Nullable StoredObject readable(ObjectName name) {
    return names.get(name.namespace(), name.name());
  }

  public @Nullable LastReadableObject lost(ObjectName name) {
    return lost.size() == 0 ? null : lost.get(Probe.of(name));
  }

  /** The number of readable objects. */
  public int size() {
    return objects.size();
  }

  /**
   * The revision of the last change; of a collection that has not changed since it was loaded, the
   * revision at which it was loaded.
   */
  public long changed() {
    return changed;
  }

  /** One more than the number of the last event that led to this state. */
  public long end() {
    return end;
  }

  public Range all() {
    return TreeRange.all(objects);
  }

  /** The objects of one namespace; "" for all objects of a cluster-scoped collection. */
  public Range in(String namespace) {
    return new TreeRange(objects, "", Probe.first("", namespace), Probe.last("", namespace));
  }

  /**
   * The objects whose label has that value, in one namespace or, if null, in all. Frequently
   * requested labels get an index; other labels need a scan.
   */
  public Range withLabel(String key, String value, @Nullable String namespace) {
    var index = indexes.ofLabel(key);
    if (index != null) {
      indexes.demand().hit(key);
      return index.range(value, namespace);
    }
    var whole = namespace == null ? all() : in(namespace);
    indexes.demand().scan(key, whole.count());
    return new ScannedRange(whole, object -> value.equals(object.label(key)));
  }

  /** The objects that a selector matches, in one namespace or, if null, in all. */
  public Range matching(LabelSelector selector, @Nullable String namespace) {
    var requirements = selector.requirements();
    var equality = requirements.stream().filter(Collection::isEquality);
    var best =
        equality.max(
            Comparator.comparing(requirement -> indexes.ofLabel(requirement.key()) != null));
    if (best.isEmpty()) {
      var whole = namespace == null ? all() : in(namespace);
      return selector.isEverything() ? whole : new ScannedRange(whole, selecting(selector));
    }
    var few = withLabel(best.get().key(), best.get().values().getFirst(), namespace);
    return requirements.size() == 1 ? few : new ScannedRange(few, selecting(selector));
  }

  private static boolean isEquality(LabelRequirement requirement) {
    return requirement.operator() == Operator.EQUALS
        || requirement.operator() == Operator.DOUBLE_EQUALS;
  }

  private static Predicate<StoredObject> selecting(LabelSelector selector) {
    return object -> object.matches(selector);
  }

  /**
   * The objects whose indexed field has that value.
   *
   * @throws IllegalArgumentException when that field has no index: see {@link #indexes}
   */
  public Range withField(String field, String value) {
    return withField(field, value, null);
  }

  /**
   * The objects whose indexed field has that value, in one namespace or, if null, in all.
   *
   * @throws IllegalArgumentException when that field has no index: see {@link #indexes}
   */
  public Range withField(String field, String value, @Nullable String namespace) {
    var index = indexes.ofField(field);
    if (index != null) {
      return index.range(value, namespace);
    }
    if (this == EMPTY) {
      return all();
    }
    throw new IllegalArgumentException("no index for " + field);
  }

  /** Whether that field has an index for {@link #withField}. */
  public boolean indexes(String field) {
    return indexes.ofField(field) != null;
  }

  public LabelDemand demand() {
    return indexes.demand();
  }

  public List<String> labelIndexes() {
    return indexes.labels().stream().map(Index::name).toList();
  }

  /** The objects that exist and cannot be decoded. */
  public List<UnreadableObject> unreadable() {
    return allLost().stream().map(LastReadableObject::object).toList();
  }

  public int unreadableCount() {
    return lost.size();
  }

  public List<LastReadableObject> allLost() {
    if (lost.size() == 0) {
      return List.of();
    }
    var all = new ArrayList<LastReadableObject>();
    lost.iterator(0, lost.size()).forEachRemaining(all::add);
    return all;
  }
}
