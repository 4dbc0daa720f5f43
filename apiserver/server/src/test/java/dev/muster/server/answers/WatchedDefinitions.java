package dev.muster.server.answers;

import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.replica.keyspace.KeySpace;
import dev.muster.replica.keyspace.KeySpaceDefinitions;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The server's own definitions, and all types that they ever made. */
final class WatchedDefinitions implements KeySpaceDefinitions {
  private final CustomTypes types = new CustomTypes(WebhookConversion.UNAVAILABLE);

  /** As long as somebody else holds them. */
  final List<WeakReference<ServedType>> made = new CopyOnWriteArrayList<>();

  @Override
  public Set<String> storages() {
    return types.storages();
  }

  @Override
  public KeySpace after(KeySpace before, List<Change> changes) {
    var after = (Types) types.after(before, changes);
    for (var type : after.all()) {
      if (type.isCustom() && made.stream().noneMatch(known -> known.refersTo(type))) {
        made.add(new WeakReference<>(type));
      }
    }
    return after;
  }
}
