package dev.muster.registry.services;

import dev.muster.model.ApiException;
import dev.muster.model.Cidr;
import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import dev.muster.model.Timestamps;
import dev.muster.registry.ObjectMeta;
import dev.muster.replica.Snapshot;
import dev.muster.schema.StorageCodec;
import dev.muster.store.Operation;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Gives cluster IPs to Services. An address is taken by an IPAddress object of its name, created
 * together with the Service, so that two servers can never give out the same one.
 */
final class ClusterIps {
  private static final String STORAGE = "/ipaddresses";
  private static final FieldPath PATH = FieldPath.of("spec", "clusterIPs");

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

  /** The Service with its addresses; the operations take new ones and give old ones back. */
  JsonObject assign(
      JsonObject service, @Nullable JsonObject old, Snapshot snapshot, List<Operation> operations) {
    var held = old == null ? List.<String>of() : addresses(old);
    var kept = new ArrayList<String>();
    var result = service;
    var spec = service.object("spec");
    boolean wantsNone =
        spec.string("type").equals("ExternalName")
            || spec.array("clusterIPs").strings().contains("None");
    if (!wantsNone) {
      var wanted = spec.array("clusterIPs").strings();
      var families = spec.array("ipFamilies").strings();
      for (int i = 0; i < families.size(); i++) {
        var address = i < wanted.size() ? wanted.get(i) : "";
        if (!held.contains(address)) {
          address = take(service, Family.named(families.get(i)), address, snapshot, operations);
        }
        kept.add(address);
      }
      result =
          service.with(
              "spec",
              spec.with("clusterIP", kept.getFirst())
                  .with("clusterIPs", JsonArray.ofStrings(kept)));
    }
    for (var address : held) {
      if (!kept.contains(address)) {
        release(address, snapshot, operations);
      }
    }
    return result;
  }

  /** Gives back all addresses of a Service that goes away. */
  void releaseAll(JsonObject service, Snapshot snapshot, List<Operation> operations) {
    for (var address : addresses(service)) {
      release(address, snapshot, operations);
    }
  }

  private static List<String> addresses(JsonObject service) {
    return service.object("spec").array("clusterIPs").strings().stream()
        .filter(address -> !address.isEmpty() && !address.equals("None"))
        .toList();
  }

  private static void release(String address, Snapshot snapshot, List<Operation> operations) {
    var taken = snapshot.collection(STORAGE).get("", address);
    if (taken != null) {
      operations.add(new Operation.Delete(STORAGE + "/" + address, taken.revision()));
    }
  }

  private String take(
      JsonObject service,
      Family family,
      String wanted,
      Snapshot snapshot,
      List<Operation> operations) {
    var pool = pool(family, snapshot);
    var address = wanted.isEmpty() ? pool.next(random) : check(service, pool, wanted);
    if (address == null) {
      throw ApiException.internal(
          "failed to allocate a serviceIP for Service \""
              + ObjectMeta.name(service)
              + "\": range is full");
    }
    operations.add(
        new Operation.Put(
            STORAGE + "/" + address,
            codec.encode(record(service, family, address)),
            Operation.ABSENT));
    return address;
  }

  private static String check(JsonObject service, IpPool pool, String wanted) {
    var range = pool.rangeOf(wanted);
    String problem = null;
    if (range == null || !IpPool.isUsable(range, wanted)) {
      problem = "the provided network does not match the current range";
    } else if (!pool.isFree(wanted)) {
      problem = "provided IP is already allocated";
    }
    if (problem != null) {
      var given = service.object("spec").array("clusterIPs");
      throw Invalid.of(
          service,
          List.of(
              FieldError.invalid(PATH, given, "failed to allocate IP " + wanted + ": " + problem)));
    }
    return wanted;
  }

  /** The configured ranges of a family, and those that ServiceCIDR objects add to them. */
  private IpPool pool(Family family, Snapshot snapshot) {
    Map<String, Cidr> ranges = new LinkedHashMap<>();
    for (var range : configured) {
      if (Family.of(range.first()) == family) {
        ranges.put(range.toString(), range);
      }
    }
    for (var object : snapshot.collection("/servicecidrs").all()) {
      if (ObjectMeta.isDeleting(object.tree())) {
        continue;
      }
      for (var text : object.tree().object("spec").array("cidrs").strings()) {
        var range = Cidr.parse(text);
        if (Family.of(range.first()) == family) {
          ranges.putIfAbsent(range.toString(), range);
        }
      }
    }
    return new IpPool(List.copyOf(ranges.values()), snapshot.collection(STORAGE));
  }

  private JsonObject record(JsonObject service, Family family, String address) {
    return JsonObject.of(
        "kind",
        "IPAddress",
        "apiVersion",
        "networking.k8s.io/v1",
        "metadata",
        JsonObject.of(
            "name",
            address,
            "uid",
            UUID.randomUUID().toString(),
            "creationTimestamp",
            Timestamps.format(clock.instant()),
            "labels",
            JsonObject.of(
                "ipaddress.kubernetes.io/ip-family",
                family.text(),
                "ipaddress.kubernetes.io/managed-by",
                "ipallocator.k8s.io")),
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
}
