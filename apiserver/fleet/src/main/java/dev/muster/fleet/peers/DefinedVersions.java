package dev.muster.fleet.peers;

import dev.muster.model.GroupVersion;
import dev.muster.replica.Replica;
import dev.muster.types.Types;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All group versions that a CustomResourceDefinition or an APIService of an aggregated API server
 * has defined since this server started. All servers know them from the log, so this server never
 * forwards requests for them to peers, and never copies deleted ones from a peer's older document.
 * One thread uses it.
 */
final class DefinedVersions {
  private static final String API_SERVICES = "/apiregistration.k8s.io/apiservices";

  private final Replica replica;
  private Set<GroupVersion> seen = Set.of();
  private @Nullable Types types;
  private long changed = -1;

  DefinedVersions(Replica replica) {
    this.replica = replica;
  }

  /** All of them; the same instance while none is added. */
  Set<GroupVersion> check() {
    var snapshot = replica.current();
    var now = Types.in(replica);
    var services = snapshot.collection(API_SERVICES);
    if (now == types && services.changed() == changed) {
      return seen;
    }
    types = now;
    changed = services.changed();
    var all = new HashSet<>(seen);
    for (var type : now.all()) {
      if (type.isCustom()) {
        all.add(type.groupVersion());
      }
    }
    for (var service : services.all()) {
      var spec = service.tree().object("spec");
      if (spec.has("service")) {
        all.add(new GroupVersion(spec.string("group"), spec.string("version")));
      }
    }
    if (all.size() != seen.size()) {
      seen = Set.copyOf(all);
    }
    return seen;
  }
}
