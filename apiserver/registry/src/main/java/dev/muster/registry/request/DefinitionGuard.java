package dev.muster.registry.request;

import dev.muster.registry.commit.OutdatedTypeException;
import dev.muster.registry.commit.WriteGuard;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.store.Operation;
import dev.muster.types.ServedType;
import dev.muster.types.TypeDefinition;
import dev.muster.types.Types;
import java.util.List;

/**
 * Guards writes of custom objects by the definition with which they were decoded, validated and
 * encoded: if any server has changed the definition since, the commit fails and the write is tried
 * again.
 */
public record DefinitionGuard(ServedType type, TypeDefinition definition) implements WriteGuard {

  /** The guard for objects of that type. */
  public static WriteGuard of(ServedType type) {
    var definition = type.definition();
    return definition == null ? WriteGuard.NONE : new DefinitionGuard(type, definition);
  }

  @Override
  public List<Operation> in(Snapshot snapshot) {
    var object = snapshot.collection(definition.storage()).get("", definition.name());
    if (object == null || Types.in(snapshot).now(type) != type) {
      throw new OutdatedTypeException(type.toString());
    }
    return List.of(new Operation.Check(definition.key(), object.revision()));
  }
}
