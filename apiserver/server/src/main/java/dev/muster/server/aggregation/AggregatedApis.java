package dev.muster.server.aggregation;

import dev.muster.model.GroupVersion;
import dev.muster.replica.Replica;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.snapshot.ReplicaException;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.request.RequestInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All group versions of aggregated API servers, by the newest snapshot. Thread-safe; event loops
 * use it, too. An APIService with a Service takes precedence over built-in types and definitions.
 * Only APIServices themselves are always served here.
 */
public final class AggregatedApis {
  static final String STORAGE = "/apiregistration.k8s.io/apiservices";
  private static final String OPENAPI = "/openapi/v3/apis/";
  private static final String OWN_GROUP = "apiregistration.k8s.io";
  private static final GroupVersion CORE = new GroupVersion("", "v1");

  /** The parsed APIService at one revision. */
  private record Known(
      long revision, boolean local, Availability state, @Nullable AggregatedApi api) {
    static Known of(StoredObject stored) {
      var tree = stored.tree();
      var api = AggregatedApi.of(tree, stored.revision());
      return new Known(
          stored.revision(),
          api == null,
          AvailableCondition.isTrue(tree)
              ? AvailableCondition.LOCAL.isIn(tree) ? Availability.LOCAL : Availability.AVAILABLE
              : Availability.UNAVAILABLE,
          api);
    }
  }

  /** The availability that an APIService reports in its status. */
  private enum Availability {
    LOCAL,
    AVAILABLE,
    UNAVAILABLE
  }

  /** All APIServices of one snapshot; the same instance while no APIService changes. */
  private record Moment(
      long changed,
      Map<String, Known> known,
      Map<GroupVersion, AggregatedApi> remote,
      List<String> unmarked) {
    static final Moment NONE = new Moment(-1, Map.of(), Map.of(), List.of());
  }

  private final Replica replica;
  private volatile Moment last = Moment.NONE;

  public AggregatedApis(Replica replica) {
    this.replica = replica;
  }

  /** All aggregated group versions. */
  Collection<AggregatedApi> all() {
    return Collections.unmodifiableCollection(now().remote().values());
  }

  /** All aggregated group versions by key; the same instance while no APIService changes. */
  Map<GroupVersion, AggregatedApi> byVersion() {
    return now().remote();
  }

  /** The names of all APIServices, and whether each is available. */
  Map<String, Boolean> availability() {
    var all = new TreeMap<String, Boolean>();
    now()
        .known()
        .forEach((name, known) -> all.put(name, known.state() != Availability.UNAVAILABLE));
    return all;
  }

  /** APIServices that this server itself serves and whose status does not say so yet. */
  List<String> unmarkedLocal() {
    return now().unmarked();
  }

  /** The aggregated API that answers the request, or null. */
  public @Nullable AggregatedApi find(RequestInfo info) {
    var remote = now().remote();
    if (remote.isEmpty()) {
      return null;
    }
    if (info.resourceRequest()) {
      return remote.get(new GroupVersion(info.group(), info.version()));
    }
    var parts = List.of(info.path().split("/+"));
    if (parts.size() > 1 && parts.get(1).equals("api")) {
      return remote.get(CORE);
    }
    if (parts.size() > 3 && parts.get(1).equals("apis")) {
      return remote.get(new GroupVersion(parts.get(2), parts.get(3)));
    }
    return parts.size() == 6 && info.path().startsWith(OPENAPI)
        ? remote.get(new GroupVersion(parts.get(4), parts.get(5)))
        : null;
  }

  @Nullable AggregatedApi find(GroupVersion groupVersion) {
    return now().remote().get(groupVersion);
  }

  private Moment now() {
    Snapshot snapshot;
    try {
      snapshot = replica.current();
    } catch (ReplicaException.NotLoaded e) {
      return Moment.NONE;
    }
    var before = last;
    var services = snapshot.collection(STORAGE);
    if (services.changed() == before.changed()) {
      return before;
    }
    var known = new HashMap<String, Known>();
    var remote = new HashMap<GroupVersion, AggregatedApi>();
    var unmarked = new ArrayList<String>();
    for (var stored : services.all()) {
      var name = stored.name().name();
      var old = before.known().get(name);
      var api = old != null && old.revision() == stored.revision() ? old : Known.of(stored);
      known.put(name, api);
      if (api.local() && api.state() != Availability.LOCAL) {
        unmarked.add(name);
      }
      if (api.api() != null && !api.api().groupVersion().group().equals(OWN_GROUP)) {
        remote.put(api.api().groupVersion(), api.api());
      }
    }
    var moment =
        new Moment(services.changed(), known, Collections.unmodifiableMap(remote), unmarked);
    last = moment;
    return moment;
  }
}
