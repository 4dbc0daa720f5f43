package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.AddressFamily;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.address.Cidr;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.store.Entry;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A simulated store and API: one thread, a clock that is set, and a list of all changes. */
final class World {
  /** A change of the Service, the Endpoints or a slice. */
  record Change(
      Duration at,
      String who,
      String what,
      @Nullable JsonObject before,
      @Nullable JsonObject after) {
    @Override
    public String toString() {
      return at + " " + who + " " + what + ": " + shown(before) + " -> " + shown(after);
    }

    private static String shown(@Nullable JsonObject object) {
      return object == null
          ? "nothing"
          : object.array("subsets")
              + ""
              + object.array("endpoints")
              + object.object("spec").array("clusterIPs");
    }
  }

  private record Kept(byte[] value, long revision, @Nullable Duration until) {}

  private final TreeMap<String, Kept> entries = new TreeMap<>();
  private final Map<String, JsonObject> objects = new LinkedHashMap<>();
  private final List<Cidr> ranges = new ArrayList<>();
  final List<Change> changes = new ArrayList<>();
  private long revision = 100;
  private Duration now = Duration.ZERO;
  private @Nullable EndpointsView cached;
  private @Nullable EndpointsView frozen;
  private @Nullable EndpointsView stripped;
  private @Nullable EndpointsView strippedOf;

  Duration now() {
    return now;
  }

  boolean isFrozen() {
    return frozen != null;
  }

  /** The store neither answers nor tells of changes; its time goes on. */
  void freeze() {
    frozen = view();
  }

  /** The store goes on; what should have expired meanwhile is gone at once. */
  void thaw() {
    frozen = null;
    advance(Duration.ZERO);
  }

  private void reach() {
    if (frozen != null) {
      throw new StoreException.Unavailable("frozen", null);
    }
  }

  void addRanges(List<Cidr> more) {
    more.stream().filter(range -> !ranges.contains(range)).forEach(ranges::add);
    cached = null;
  }

  void advance(Duration time) {
    now = now.plus(time);
    if (frozen == null
        && entries
            .values()
            .removeIf(kept -> kept.until() != null && kept.until().compareTo(now) <= 0)) {
      revision++;
      cached = null;
    }
  }

  @Nullable JsonObject object(String key) {
    return objects.get(key);
  }

  JsonObject existing(String key) {
    return Objects.requireNonNull(objects.get(key), key);
  }

  static String key(PlannedWrite.Kind kind, String name) {
    return kind + "/" + name;
  }

  @Nullable JsonObject service() {
    return objects.get(key(PlannedWrite.Kind.SERVICE, "kubernetes"));
  }

  @Nullable JsonObject endpoints() {
    return objects.get(key(PlannedWrite.Kind.ENDPOINTS, "kubernetes"));
  }

  Map<String, JsonObject> slices() {
    var found = new HashMap<String, JsonObject>();
    objects.forEach(
        (key, object) -> {
          if (key.startsWith("SLICE/")) {
            found.put(key.substring("SLICE/".length()), object);
          }
        });
    return found;
  }

  EndpointsView view() {
    var seen = frozen;
    if (seen != null) {
      return seen;
    }
    var known = cached;
    if (known == null) {
      known =
          new EndpointsView(
              under(LeaseRecords.OWN),
              under(LeaseRecords.MASTER),
              PublicationPlan.Objects.of(service(), endpoints(), slices()),
              objects.get("CONFIGMAP/" + ConfigMapRecords.NAME),
              objects.get("CONFIGMAP/" + ConfigMapRecords.CONFIG_NAME),
              List.copyOf(ranges));
      cached = known;
    }
    return known;
  }

  /** As a server sees it that does not look at the ConfigMaps. */
  EndpointsView viewWithoutConfigMaps() {
    var whole = view();
    var known = stripped;
    if (known == null || strippedOf != whole) {
      known =
          new EndpointsView(
              whole.leases(), whole.masterLeases(), whole.objects(), null, null, whole.ranges());
      stripped = known;
      strippedOf = whole;
    }
    return known;
  }

  List<Entry> under(String prefix) {
    return entries.tailMap(prefix).entrySet().stream()
        .takeWhile(entry -> entry.getKey().startsWith(prefix))
        .map(
            entry ->
                new Entry(entry.getKey(), entry.getValue().value(), entry.getValue().revision()))
        .toList();
  }

  void commit(List<Operation> operations) {
    reach();
    for (var operation : operations) {
      var present = entries.get(operation.key());
      long at = present == null ? 0 : present.revision();
      if (operation.expected() != Operation.ANY && operation.expected() != at) {
        throw new ApiException(Reason.CONFLICT, operation.key(), StatusDetails.EMPTY);
      }
    }
    revision++;
    cached = null;
    for (var operation : operations) {
      switch (operation) {
        case Operation.Put put ->
            entries.put(
                put.key(),
                new Kept(
                    put.value(),
                    revision,
                    put.timeToLive() == null ? null : now.plus(put.timeToLive())));
        case Operation.Delete delete -> entries.remove(delete.key());
        case Operation.Check ignored -> {}
      }
    }
  }

  void write(String who, PlannedWrite write) {
    reach();
    var key = key(write.kind(), write.name());
    var present = objects.get(key);
    switch (write) {
      case PlannedWrite.Create create -> {
        require(present == null, Reason.ALREADY_EXISTS, key);
        store(who, key, create.object());
      }
      case PlannedWrite.Update update -> {
        require(present != null, Reason.NOT_FOUND, key);
        require(version(present).equals(version(update.object())), Reason.CONFLICT, key);
        if (!Objects.equals(update.object(), present)) {
          store(who, key, update.object());
        }
      }
      case PlannedWrite.Delete delete -> {
        require(present != null, Reason.NOT_FOUND, key);
        require(version(present).equals(version(delete.object())), Reason.CONFLICT, key);
        remove(who, key);
      }
    }
  }

  void store(String who, String key, JsonObject object) {
    revision++;
    cached = null;
    var version = object.withAt(Json.of(Long.toString(revision)), "metadata", "resourceVersion");
    var normal =
        version.has("subsets") && version.array("subsets").isEmpty()
            ? version.without("subsets")
            : version;
    var before = objects.put(key, normal);
    if (!key.startsWith("CONFIGMAP")) {
      changes.add(new Change(now, who, key, before, normal));
    }
  }

  void remove(String who, String key) {
    revision++;
    cached = null;
    var before = objects.remove(key);
    changes.add(new Change(now, who, key, before, null));
  }

  /** Deletes what nobody but a user deletes. */
  void delete(String key) {
    revision++;
    cached = null;
    objects.remove(key);
  }

  void createConfigMap(JsonObject configMap) {
    reach();
    var key = "CONFIGMAP/" + configMap.object("metadata").string("name");
    require(!objects.containsKey(key), Reason.ALREADY_EXISTS, key);
    store("", key, configMap);
  }

  void patchConfigMap(JsonObject patch) {
    reach();
    var key = "CONFIGMAP/" + ConfigMapRecords.NAME;
    var present = objects.get(key);
    require(present != null, Reason.NOT_FOUND, key);
    var expected = patch.object("metadata").string("resourceVersion");
    require(expected.isEmpty() || expected.equals(version(present)), Reason.CONFLICT, key);
    var data = Objects.requireNonNull(present).object("data");
    for (var name : patch.object("data").keys()) {
      var value = patch.object("data").get(name);
      data = value == null || value == JsonNull.NULL ? data.without(name) : data.with(name, value);
    }
    store("", key, present.with("data", data));
  }

  private static String version(@Nullable JsonObject object) {
    return object == null ? "" : object.object("metadata").string("resourceVersion");
  }

  private static void require(boolean holds, Reason reason, String key) {
    if (!holds) {
      throw new ApiException(reason, key, StatusDetails.EMPTY);
    }
  }

  /** What the Endpoints show, as address:port. */
  List<String> published() {
    var found = new ArrayList<String>();
    var endpoints = endpoints();
    if (endpoints != null) {
      for (var subset : endpoints.array("subsets").objects()) {
        for (var address : subset.array("addresses").objects()) {
          found.add(
              DesiredEndpoints.hostAndPort(
                  address.string("ip"), subset.array("ports").object(0).integer("port", 0)));
        }
      }
    }
    return found;
  }

  /** What all slices of a family show, as address:port. */
  List<String> sliced(AddressFamily family) {
    var found = new ArrayList<String>();
    for (var slice : slices().values()) {
      if (slice.string("addressType").equals(family.text())) {
        long port =
            slice.array("ports").isEmpty() ? 0 : slice.array("ports").object(0).integer("port", 0);
        for (var endpoint : slice.array("endpoints").objects()) {
          for (var address : endpoint.array("addresses").strings()) {
            found.add(DesiredEndpoints.hostAndPort(address, port));
          }
        }
      }
    }
    found.sort(null);
    return found;
  }

  JsonArray clusterIps() {
    var service = service();
    return service == null ? JsonArray.EMPTY : service.object("spec").array("clusterIPs");
  }
}
