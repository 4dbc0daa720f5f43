package dev.muster.registry.services;

import dev.muster.model.ApiException;
import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import dev.muster.replica.Snapshot;
import dev.muster.schema.StorageCodec;
import dev.muster.store.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Gives node ports to Services, from one range that all servers of the fleet share. */
final class NodePorts {
  private static final String KEY = "/ranges/servicenodeports";

  private final int first;
  private final int last;
  private final StorageCodec codec;
  private final RandomGenerator random;

  NodePorts(int first, int last, StorageCodec codec, RandomGenerator random) {
    this.first = first;
    this.last = last;
    this.codec = codec;
    this.random = random;
  }

  JsonObject assign(
      JsonObject service, @Nullable JsonObject old, Snapshot snapshot, List<Operation> operations) {
    var held = old == null ? Set.<Integer>of() : ports(old);
    boolean wanted = hasNodePorts(service) || needsHealthCheck(service);
    if (!wanted && held.isEmpty()) {
      return service;
    }
    var bitmap = bitmap(snapshot);
    var result = service;
    if (hasNodePorts(service)) {
      result = assignPorts(service, old != null, held, bitmap);
    }
    if (needsHealthCheck(service)) {
      result = assignHealthCheck(result, old, held, bitmap);
    }
    var kept = ports(result);
    for (var port : held) {
      if (!kept.contains(port)) {
        bitmap.release(port);
      }
    }
    write(bitmap, snapshot, operations);
    return result;
  }

  void releaseAll(JsonObject service, Snapshot snapshot, List<Operation> operations) {
    var held = ports(service);
    if (held.isEmpty()) {
      return;
    }
    var bitmap = bitmap(snapshot);
    held.forEach(bitmap::release);
    write(bitmap, snapshot, operations);
  }

  /**
   * In a new service, ports of one number in several protocols share a node port; no other two do.
   */
  private JsonObject assignPorts(
      JsonObject service, boolean exists, Set<Integer> held, PortBitmap bitmap) {
    var spec = service.object("spec");
    boolean allocates = spec.get("allocateLoadBalancerNodePorts") != Json.of(false);
    boolean balancer = spec.string("type").equals("LoadBalancer");
    var ports = spec.array("ports").objects();
    var chosen = new ArrayList<Json>();
    Map<Long, Integer> byPort = new HashMap<>();
    var taken = new HashSet<>(held);
    for (int i = 0; i < ports.size(); i++) {
      var port = ports.get(i);
      int requested = (int) port.integer("nodePort", 0);
      if (requested == 0 && balancer && !allocates) {
        chosen.add(port);
        continue;
      }
      if (requested == 0 && !exists) {
        requested = sharedPort(port, ports, byPort);
      }
      if (requested == 0) {
        requested = bitmap.next(random);
        if (requested == 0) {
          throw ApiException.internal("failed to allocate a nodePort: range is full");
        }
        bitmap.take(requested);
        taken.add(requested);
      } else if (taken.add(requested) || (!exists && !isShared(port, requested, byPort))) {
        request(service, i, requested, bitmap);
      }
      byPort.putIfAbsent(port.integer("port", 0), requested);
      chosen.add(port.with("nodePort", requested));
    }
    return service.with("spec", spec.with("ports", JsonArray.of(chosen)));
  }

  /** One port in two protocols shares its node port, asked for or already given. */
  private static int sharedPort(JsonObject port, List<JsonObject> all, Map<Long, Integer> byPort) {
    long number = port.integer("port", 0);
    var given = byPort.get(number);
    if (given != null) {
      return given;
    }
    for (var other : all) {
      if (other.integer("port", 0) == number && other.integer("nodePort", 0) != 0) {
        return (int) other.integer("nodePort", 0);
      }
    }
    return 0;
  }

  private static boolean isShared(JsonObject port, int wanted, Map<Long, Integer> byPort) {
    return byPort.getOrDefault(port.integer("port", 0), 0) == wanted;
  }

  /** Why nobody can have the port, or null. */
  private @Nullable String problem(int port, PortBitmap bitmap) {
    if (!bitmap.covers(port)) {
      return "provided port is not in the valid range. The range of valid ports is "
          + first
          + "-"
          + last;
    }
    return bitmap.isTaken(port) ? "provided port is already allocated" : null;
  }

  private void request(JsonObject service, int index, int port, PortBitmap bitmap) {
    var problem = problem(port, bitmap);
    if (problem != null) {
      var path = FieldPath.of("spec", "ports").index(index).child("nodePort");
      throw Invalid.of(service, List.of(FieldError.invalid(path, port, problem)));
    }
    bitmap.take(port);
  }

  private JsonObject assignHealthCheck(
      JsonObject service, @Nullable JsonObject old, Set<Integer> held, PortBitmap bitmap) {
    var spec = service.object("spec");
    int requested = (int) spec.integer("healthCheckNodePort", 0);
    if (requested != 0 && held.contains(requested)) {
      return service;
    }
    if (requested == 0 && old != null && needsHealthCheck(old)) {
      requested = (int) old.object("spec").integer("healthCheckNodePort", 0);
    }
    if (requested == 0) {
      requested = bitmap.next(random);
      if (requested == 0) {
        throw ApiException.internal("failed to allocate a HealthCheck NodePort 0: range is full");
      }
      bitmap.take(requested);
    } else if (!held.contains(requested)) {
      var problem = problem(requested, bitmap);
      if (problem != null) {
        throw ApiException.internal(
            "failed to allocate requested HealthCheck NodePort " + requested + ": " + problem);
      }
      bitmap.take(requested);
    }
    return service.with("spec", spec.with("healthCheckNodePort", requested));
  }

  private static boolean hasNodePorts(JsonObject service) {
    var type = service.object("spec").string("type");
    return type.equals("NodePort") || type.equals("LoadBalancer");
  }

  private static boolean needsHealthCheck(JsonObject service) {
    var spec = service.object("spec");
    return spec.string("type").equals("LoadBalancer")
        && spec.string("externalTrafficPolicy").equals("Local");
  }

  /** All ports that a Service holds, its health check's included. */
  private static Set<Integer> ports(JsonObject service) {
    var held = new HashSet<Integer>();
    if (hasNodePorts(service)) {
      for (var port : service.object("spec").array("ports").objects()) {
        int number = (int) port.integer("nodePort", 0);
        if (number != 0) {
          held.add(number);
        }
      }
    }
    int healthCheck = (int) service.object("spec").integer("healthCheckNodePort", 0);
    if (needsHealthCheck(service) && healthCheck != 0) {
      held.add(healthCheck);
    }
    return held;
  }

  private PortBitmap bitmap(Snapshot snapshot) {
    var stored = snapshot.raw(KEY);
    return PortBitmap.of(
        first,
        last,
        stored == null ? JsonObject.EMPTY : RangeAllocations.read(stored.value(), codec));
  }

  private void write(PortBitmap bitmap, Snapshot snapshot, List<Operation> operations) {
    if (!bitmap.changed()) {
      return;
    }
    var stored = snapshot.raw(KEY);
    var allocation =
        JsonObject.of(
            "kind",
            "RangeAllocation",
            "apiVersion",
            "v1",
            "metadata",
            JsonObject.EMPTY,
            "range",
            first + "-" + last,
            "data",
            bitmap.data());
    operations.add(
        new Operation.Put(
            KEY,
            codec.encode(allocation),
            stored == null ? Operation.ABSENT : stored.modRevision()));
  }
}
