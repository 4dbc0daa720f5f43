package dev.muster.replica.keyspace;

import dev.muster.replica.object.IndexedField;
import dev.muster.replica.object.ObjectDecoder;
import java.util.List;

/**
 * The storage location, decoder and indexed fields of a collection. Immutable, compared by
 * identity: while a key space has the same instance, its objects and watches stay; another instance
 * makes the replica decode the objects again.
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
