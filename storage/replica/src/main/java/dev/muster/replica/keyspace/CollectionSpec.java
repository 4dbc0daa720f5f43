package dev.muster.replica.keyspace;

import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.ObjectDecoder;
import java.util.List;

/**
 * Where the objects of a collection lie, how their values are read and what they are looked up by.
 * Immutable. Identity counts: while a key space has the same instance its objects stay as they are,
 * and so do watches; with another one they are read anew.
 */
public final class CollectionSpec {
  private final String storage;
  private final ObjectDecoder decoder;
  private final List<IndexedField> indexes;

  /**
   * @param storage the part of the keys before the namespace, such as {@code /configmaps} or {@code
   *     /services/specs}
   */
  public CollectionSpec(String storage, ObjectDecoder decoder, List<IndexedField> indexes) {
    this.storage = storage;
    this.decoder = decoder;
    this.indexes = List.copyOf(indexes);
  }

  public String storage() {
    return storage;
  }

  public ObjectDecoder decoder() {
    return decoder;
  }

  public List<IndexedField> indexes() {
    return indexes;
  }

  @Override
  public String toString() {
    return storage;
  }
}
