package dev.muster.replica;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one storage location at one revision, in the order of their store keys. Immutable.
 */
public final class Collection {

  Collection() {}

  /**
   * The object of that name, or null.
   *
   * @throws ReplicaException.Unreadable when there is one whose value cannot be decoded
   */
  public @Nullable StoredObject get(String namespace, String name) {
    return Pending.body();
  }

  /** How many readable objects there are. */
  public int size() {
    return Pending.body();
  }

  /** The revision of the last change here; what is older than everything kept counts as 0. */
  public long changed() {
    return Pending.body();
  }

  public Range all() {
    return Pending.body();
  }

  public Range in(String namespace) {
    return Pending.body();
  }

  /**
   * The objects whose label has that value, in one namespace or (null) in all. Labels that are
   * asked for often get an index; the others are scanned for.
   */
  public Range withLabel(String key, String value, @Nullable String namespace) {
    return Pending.body();
  }

  /**
   * The objects whose indexed field has that value.
   *
   * @throws IllegalArgumentException when that field has no index: see {@link #indexes}
   */
  public Range withField(String field, String value) {
    return Pending.body();
  }

  /** Whether {@link #withField} can answer for that field. */
  public boolean indexes(String field) {
    return Pending.body();
  }

  /** The objects that are there and cannot be decoded. */
  public List<UnreadableObject> unreadable() {
    return Pending.body();
  }
}
