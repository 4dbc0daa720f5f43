package dev.muster.registry.services;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.store.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Allocates node ports to Services from one range that all servers of the fleet share. */
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
      JsonObject service,
      @Nullable JsonObject old,
      Snapshot snapshot,
      boolean dryRun,
      List<Operation> operations) {
    var held = old == null ? Set.<Integer>of() : ports(old);
    boolean wanted = hasNodePorts(service) || needsHealthCheck(service);
    if (!wanted && held.isEmpty()) {
      return service;
    }
    var bitmap = bitmap(snapshot);
    var request = new PortRequest(bitmap, dryRun);
    var result = service;
    if (hasNodePorts(service)) {
      result =
          old == null
              ? newPorts(service, request)
              : changedPorts(service, namedPorts(old), request);
    }
    if (needsHealthCheck(service) && (old == null || !needsHealthCheck(old))) {
      result = healthCheck(result, request);
    }
    var kept = ports(result);
    for (var port : held) {
      if (!kept.contains(port)) {
        request.release(port);
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
   * Allocates the ports of a new Service: ports with the same number but different protocols share
   * a node port.
   */
  private JsonObject newPorts(JsonObject service, PortRequest request) {
    var ports = service.object("spec").array("ports").objects();
    Map<Long, Integer> byPort = new HashMap<>();
    var chosen = new ArrayList<Json>();
    for (int i = 0; i < ports.size(); i++) {
      var port = ports.get(i);
      int asked = nodePort(port);
      if (asked == 0 && !isGiven(service)) {
        chosen.add(port);
        continue;
      }
      long number = port.integer("port", 0);
      int shared = byPort.getOrDefault(number, 0);
      int given = shared;
      if (shared == 0) {
        int known = asked(number, ports);
        given = known == 0 ? any(request) : take(service, i, known, request);
        byPort.put(number, given);
      } else if (asked != 0 && asked != shared) {
        given = take(service, i, asked, request);
      }
      chosen.add(port.with("nodePort", given));
    }
    return withPorts(service, chosen);
  }

  /** The node port that one of the ports with that number requests; 0 when none does. */
  private static int asked(long number, List<JsonObject> ports) {
    for (var port : ports) {
      if (port.integer("port", 0) == number && nodePort(port) != 0) {
        return nodePort(port);
      }
    }
    return 0;
  }

  /** Allocates the ports of an existing Service: no two ports share a new node port. */
  private JsonObject changedPorts(JsonObject service, Set<Integer> held, PortRequest request) {
    var ports = service.object("spec").array("ports").objects();
    var taken = new HashSet<>(held);
    var chosen = new ArrayList<Json>();
    for (int i = 0; i < ports.size(); i++) {
      var port = ports.get(i);
      int asked = nodePort(port);
      if (asked != 0) {
        if (taken.add(asked)) {
          take(service, i, asked, request);
        }
        chosen.add(port);
      } else {
        chosen.add(isGiven(service) ? port.with("nodePort", any(request)) : port);
      }
    }
    return withPorts(service, chosen);
  }

  private static JsonObject withPorts(JsonObject service, List<Json> ports) {
    return ports.isEmpty()
        ? service
        : service.with("spec", service.object("spec").with("ports", JsonArray.of(ports)));
  }

  private static int take(JsonObject service, int index, int port, PortRequest request) {
    var problem = request.take(port);
    if (problem != null) {
      var path = FieldPath.of("spec", "ports").index(index).child("nodePort");
      throw InvalidService.of(service, List.of(FieldError.invalid(path, port, problem)));
    }
    return port;
  }

  private int any(PortRequest request) {
    int port = request.next(random);
    if (port == 0) {
      throw ApiException.internal("failed to allocate a nodePort: range is full");
    }
    return port;
  }

  private JsonObject healthCheck(JsonObject service, PortRequest request) {
    var spec = service.object("spec");
    int asked = (int) spec.integer("healthCheckNodePort", 0);
    if (asked != 0) {
      var problem = request.take(asked);
      if (problem != null) {
        throw ApiException.internal(
            "failed to allocate requested HealthCheck NodePort " + asked + ": " + problem);
      }
      return service;
    }
    int given = request.next(random);
    if (given == 0) {
      throw ApiException.internal("failed to allocate a HealthCheck NodePort 0: range is full");
    }
    return service.with("spec", spec.with("healthCheckNodePort", given));
  }

  private static int nodePort(JsonObject port) {
    return (int) port.integer("nodePort", 0);
  }

  /** Whether the Service gets node ports for ports that request none. */
  private static boolean isGiven(JsonObject service) {
    var spec = service.object("spec");
    return !spec.string("type").equals("LoadBalancer")
        || spec.get("allocateLoadBalancerNodePorts") != JsonBool.FALSE;
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

  /** All node ports of a Service, including the health check's. */
  private static Set<Integer> ports(JsonObject service) {
    var held = hasNodePorts(service) ? namedPorts(service) : new HashSet<Integer>();
    int healthCheck = (int) service.object("spec").integer("healthCheckNodePort", 0);
    if (needsHealthCheck(service) && healthCheck != 0) {
      held.add(healthCheck);
    }
    return held;
  }

  private static Set<Integer> namedPorts(JsonObject service) {
    var held = new HashSet<Integer>();
    for (var port : service.object("spec").array("ports").objects()) {
      if (nodePort(port) != 0) {
        held.add(nodePort(port));
      }
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
