package dev.muster.fleet.peers;

import dev.muster.model.GroupVersion;
import dev.muster.replica.Replica;
import dev.muster.types.Types;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One thread owns it. The versions that objects of the cluster have ever defined, since this server
 * runs: by a CustomResourceDefinition, or by an APIService of another API server. All servers have
 * those by the log, so that none needs to ask another, and what is gone is not taken from another
 * server's older document.
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
