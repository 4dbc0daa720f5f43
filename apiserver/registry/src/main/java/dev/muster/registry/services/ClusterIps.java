package dev.muster.registry.services;

import dev.muster.model.GroupKind;
import dev.muster.model.Timestamps;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.store.Operation;
import dev.muster.types.ObjectMeta;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Allocates cluster IPs to Services. One transaction creates the Service and an IPAddress object
 * that has the address as its name, so that two servers can never allocate the same address.
 */
final class ClusterIps {
  private static final String STORAGE = "/ipaddresses";
  private static final GroupKind ADDRESS = new GroupKind("networking.k8s.io", "IPAddress");
  private static final int SHORTEST_PREFIX = 64;

  /** The name of the API servers' Service, and of the ServiceCIDR with the configured ranges. */
  private static final String KUBERNETES = "kubernetes";

  private static final FieldPath PATH = FieldPath.of("spec", "clusterIPs");
  private static final String FAMILY = "ipaddress.kubernetes.io/ip-family";
  private static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
  private static final String ALLOCATOR = "ipallocator.k8s.io";

  /** The managed fields of every allocated IPAddress; only the time differs. */
  private static final JsonObject OWNED =
      JsonObject.of(
          "manager",
          "kube-apiserver",
          "operation",
          "Update",
          "apiVersion",
          "networking.k8s.io/v1",
          "time",
          "",
          "fieldsType",
          "FieldsV1",
          "fieldsV1",
          JsonObject.of(
              "f:metadata",
              JsonObject.of("f:labels", fields(".", "f:" + FAMILY, "f:" + MANAGED_BY)),
              "f:spec",
              JsonObject.of("f:parentRef", fields(".", "f:name", "f:namespace", "f:resource"))));

  private final List<Cidr> configured;
  private final StorageCodec codec;
  private final RandomGenerator random;
  private final InstantSource clock;

  ClusterIps(
      List<Cidr> configured, StorageCodec codec, RandomGenerator random, InstantSource clock) {
    this.configured = List.copyOf(configured);
    this.codec = codec;
    this.random = random;
    this.clock = clock;
  }

  private static JsonObject fields(String... names) {
    var fields = JsonObject.builder();
    for (var name : names) {
      fields.put(name, JsonObject.EMPTY);
    }
    return fields.build();
  }

  /**
   * Returns the Service with its addresses, and adds operations that allocate new addresses and
   * release old ones.
   */
  JsonObject assign(
      JsonObject service,
      @Nullable JsonObject old,
      Snapshot snapshot,
      boolean dryRun,
      List<Operation> operations) {
    var spec = service.object("spec");
    if (spec.string("type").equals("ExternalName")) {
      if (old != null) {
        releaseAll(old, snapshot, operations);
      }
      return service;
    }
    var families = spec.array("ipFamilies").strings();
    if (old == null || old.object("spec").string("type").equals("ExternalName")) {
      return isNone(spec) ? service : filled(service, 0, snapshot, dryRun, operations);
    }
    var before = old.object("spec");
    int familiesBefore = before.array("ipFamilies").size();
    if (isNone(before)) {
      return service;
    }
    record(service, addresses(old), snapshot, operations);
    if (familiesBefore == 1 && families.size() == 2) {
      return filled(service, 1, snapshot, dryRun, operations);
    }
    if (familiesBefore == 2 && families.size() == 1 && before.array("clusterIPs").size() == 2) {
      release(before.array("clusterIPs").strings().getLast(), snapshot, operations);
    }
    return service;
  }

  /**
   * Recreates missing IPAddresses of addresses that the Service already has, for example after a
   * user deleted them.
   */
  private void record(
      JsonObject service, List<String> had, Snapshot snapshot, List<Operation> operations) {
    int families = service.object("spec").array("ipFamilies").size();
    for (var address : had.stream().limit(families).map(ClusterIps::canonical).toList()) {
      var family = IpFamily.ofText(address);
      if (snapshot.collection(STORAGE).get("", address) == null
          && pool(service, family, snapshot).rangeOf(address) != null) {
        operations.add(taken(service, address));
      }
    }
  }

  private Operation taken(JsonObject service, String address) {
    var value = codec.encode(record(service, address));
    return new Operation.Put(STORAGE + "/" + address, value, Operation.ABSENT);
  }

  private static boolean isNone(JsonObject spec) {
    var ips = spec.array("clusterIPs").strings();
    return !ips.isEmpty() && ips.getFirst().equals("None");
  }

  /** The Service with an address for each of its families, from that index on. */
  private JsonObject filled(
      JsonObject service, int from, Snapshot snapshot, boolean dryRun, List<Operation> operations) {
    var spec = service.object("spec");
    var families = spec.array("ipFamilies").strings();
    var ips = new ArrayList<>(spec.array("clusterIPs").strings());
    while (ips.size() < families.size()) {
      ips.add("");
    }
    var padded = service.with("spec", spec.with("clusterIPs", JsonArray.ofStrings(ips)));
    for (int i = from; i < families.size(); i++) {
      var pool = pool(service, IpFamily.named(families.get(i)), snapshot);
      ips.set(
          i, dryRun ? tried(padded, pool, ips.get(i)) : take(padded, pool, ips.get(i), operations));
    }
    var result = spec.with("clusterIPs", JsonArray.ofStrings(ips));
    return service.with("spec", from == 0 ? result.with("clusterIP", ips.getFirst()) : result);
  }

  /** Releases all addresses of a Service that is deleted. */
  void releaseAll(JsonObject service, Snapshot snapshot, List<Operation> operations) {
    for (var address : addresses(service)) {
      release(address, snapshot, operations);
    }
  }

  static List<String> addresses(JsonObject service) {
    return service.object("spec").array("clusterIPs").strings().stream()
        .filter(address -> !address.isEmpty() && !address.equals("None"))
        .toList();
  }

  private static void release(String text, Snapshot snapshot, List<Operation> operations) {
    var address = canonical(text);
    var taken = snapshot.collection(STORAGE).get("", address);
    if (taken != null) {
      operations.add(new Operation.Delete(STORAGE + "/" + address, taken.revision()));
    }
  }

  /** The address in the form of an IPAddress name. */
  private static String canonical(String text) {
    var ip = Ip.parseLegacy(text);
    return ip == null ? text : ip.toString();
  }

  private String take(JsonObject service, IpPool pool, String wanted, List<Operation> operations) {
    var address = wanted.isEmpty() ? pool.next(random) : check(service, pool, wanted);
    if (address == null) {
      throw ApiException.internal(
          "failed to allocate a serviceIP for Service \""
              + ObjectMeta.name(service)
              + "\": range is full");
    }
    checkOwner(service, wanted, address);
    operations.add(taken(service, address));
    return wanted.isEmpty() ? address : wanted;
  }

  /**
   * Refuses a Service whose name is no valid path segment, since its IPAddress could not refer to
   * it.
   */
  private static void checkOwner(JsonObject service, String wanted, String address) {
    var name = ObjectMeta.name(service);
    var problems = Names.pathSegment(name);
    if (!name.isEmpty() && problems.isEmpty()) {
      return;
    }
    var path = FieldPath.of("spec", "parentRef", "name");
    var errors =
        name.isEmpty()
            ? List.of(FieldError.required(path, ""))
            : problems.stream().map(why -> FieldError.invalid(path, name, why)).toList();
    throw refused(service, wanted, ApiException.invalid(ADDRESS, address, errors).text());
  }

  private static String check(JsonObject service, IpPool pool, String wanted) {
    var address = canonical(wanted);
    var range = pool.rangeOf(address);
    if (range == null || !IpPool.isUsable(range, address)) {
      throw refused(service, wanted, "the provided network does not match the current range");
    }
    if (pool.isTaken(address)) {
      throw refused(service, wanted, "provided IP is already allocated");
    }
    checkNotKept(service, pool, wanted, address);
    return address;
  }

  private static void checkNotKept(JsonObject service, IpPool pool, String wanted, String address) {
    if (pool.kept().contains(address)) {
      throw refused(
          service,
          wanted,
          "the first address of a range is kept for the Service kubernetes of the namespace"
              + " default");
    }
  }

  /** The address that a dry run shows: the requested one, or the network address of the range. */
  private static String tried(JsonObject service, IpPool pool, String wanted) {
    var first = pool.ranges().getFirst();
    if (wanted.isEmpty()) {
      return first.first().toString();
    }
    var address = canonical(wanted);
    var range = pool.rangeOf(address);
    if (range == null || !IpPool.isUsable(range, address)) {
      throw refused(
          service,
          wanted,
          "the provided IP ("
              + address
              + ") is not in the valid range. The range of valid IPs is "
              + first);
    }
    checkNotKept(service, pool, wanted, address);
    return wanted;
  }

  private static ApiException refused(JsonObject service, String wanted, String problem) {
    var given = service.object("spec").array("clusterIPs");
    var asked = wanted.isEmpty() ? "" : " " + wanted;
    var detail = "failed to allocate IP" + asked + ": " + problem;
    return InvalidService.of(service, List.of(FieldError.invalid(PATH, given, detail)));
  }

  /** The configured ranges of a family, and those of ServiceCIDR objects. */
  private IpPool pool(JsonObject service, IpFamily family, Snapshot snapshot) {
    Map<String, Cidr> ranges = new LinkedHashMap<>();
    var kept = new HashSet<String>();
    for (var range : configured) {
      if (IpFamily.of(range) == family) {
        ranges.put(range.toString(), range);
        kept.add(IpPool.first(range));
      }
    }
    for (var object : snapshot.collection("/servicecidrs").all()) {
      if (ObjectMeta.isDeleting(object.tree()) || isUnready(object.tree())) {
        continue;
      }
      for (var text : object.tree().object("spec").array("cidrs").strings()) {
        var range = Cidr.parse(text);
        if (IpFamily.of(range) == family && !isTooWide(range)) {
          ranges.putIfAbsent(range.toString(), range);
          if (object.name().name().equals(KUBERNETES)) {
            kept.add(IpPool.first(range));
          }
        }
      }
    }
    return new IpPool(
        List.copyOf(ranges.values()),
        snapshot.collection(STORAGE),
        isKubernetes(service) ? Set.of() : kept);
  }

  /**
   * Whether it is the {@code kubernetes} Service, which gets the first address of every configured
   * range, and of a second one as soon as the cluster becomes dual-stack.
   */
  private static boolean isKubernetes(JsonObject service) {
    return ObjectMeta.namespace(service).equals("default")
        && ObjectMeta.name(service).equals(KUBERNETES);
  }

  /** Whether the range is too large to allocate from. */
  private static boolean isTooWide(Cidr range) {
    return range.isSix() && range.prefix() < SHORTEST_PREFIX;
  }

  /** Whether the ServiceCIDR is not ready or is being deleted. */
  private static boolean isUnready(JsonObject range) {
    return range.object("status").array("conditions").objects().stream()
        .filter(condition -> condition.string("type").equals("Ready"))
        .findFirst()
        .filter(condition -> !condition.string("status").equals("True"))
        .isPresent();
  }

  private JsonObject record(JsonObject service, String address) {
    var now = Timestamps.format(clock.instant());
    var metadata = JsonObject.builder();
    var plain = address(address, service);
    metadata.put("name", address);
    metadata.put("uid", UUID.randomUUID().toString());
    metadata.put("creationTimestamp", now);
    metadata.put("labels", plain.object("metadata", "labels"));
    metadata.put("managedFields", JsonArray.of(OWNED.with("time", now)));
    return plain.with("metadata", metadata.build());
  }

  /** The IPAddress object of a Service's address. */
  static JsonObject address(String address, JsonObject service) {
    return JsonObject.of(
        "kind",
        "IPAddress",
        "apiVersion",
        "networking.k8s.io/v1",
        "metadata",
        JsonObject.of(
            "name",
            address,
            "labels",
            JsonObject.of(FAMILY, IpFamily.ofText(address).text(), MANAGED_BY, ALLOCATOR)),
        "spec",
        JsonObject.of(
            "parentRef",
            JsonObject.of(
                "resource",
                "services",
                "namespace",
                ObjectMeta.namespace(service),
                "name",
                ObjectMeta.name(service))));
  }

  /**
   * Whether the server allocated the IPAddress for a Service, as opposed to one that a user
   * created.
   */
  static boolean isManaged(JsonObject address) {
    return address.object("metadata", "labels").string(MANAGED_BY).equals(ALLOCATOR);
  }
}
