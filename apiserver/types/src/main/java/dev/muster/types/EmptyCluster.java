package dev.muster.types;

import dev.muster.model.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cluster without objects and types, except those that a subclass adds. */
public class EmptyCluster implements ClusterView {
  private static final Types NO_TYPES = Types.of(List.of());

  @Override
  public @Nullable JsonObject get(String collection, String namespace, String name) {
    return null;
  }

  @Override
  public List<JsonObject> list(String collection, String namespace) {
    return List.of();
  }

  @Override
  public long revision(String collection, String namespace, String name) {
    return 0;
  }

  @Override
  public long changed(String collection) {
    return 0;
  }

  @Override
  public Types types() {
    return NO_TYPES;
  }
}
