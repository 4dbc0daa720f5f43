package dev.muster.registry.services;

import dev.muster.model.address.Cidr;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.write.Allocations;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.schema.storage.StorageCodec;
import dev.muster.store.Operation;
import dev.muster.types.ObjectMeta;
import dev.muster.types.ServedType;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Allocates IP families, cluster IPs and node ports of Services. Thread-safe. */
public final class ServiceAllocations implements Allocations {
  private static final String SERVICES = "/services/specs";
  private static final String ENDPOINTS = "/services/endpoints";

  private final IpFamilies families;
  private final ClusterIps clusterIps;
  private final NodePorts nodePorts;

  /**
   * @param ranges the cluster IP ranges, the primary family first
   * @param firstPort the lowest node port
   * @param lastPort the highest node port
   */
  public ServiceAllocations(
      List<Cidr> ranges,
      int firstPort,
      int lastPort,
      StorageCodec codec,
      RandomGenerator random,
      InstantSource clock) {
    this.families = new IpFamilies(ranges.stream().map(IpFamily::of).toList());
    this.clusterIps = new ClusterIps(ranges, codec, random, clock);
    this.nodePorts = new NodePorts(firstPort, lastPort, codec, random);
  }

  @Override
  public Grant allocate(
      ServedType type,
      JsonObject object,
      @Nullable JsonObject old,
      Snapshot snapshot,
      boolean dryRun) {
    if (!type.storage().equals(SERVICES)) {
      return new Grant(object, List.of());
    }
    var operations = new ArrayList<Operation>();
    var service = families.decide(object, old);
    service = clusterIps.assign(service, old, snapshot, dryRun, operations);
    service = nodePorts.assign(service, old, snapshot, dryRun, operations);
    return new Grant(service, operations);
  }

  @Override
  public List<Operation> release(ServedType type, JsonObject old, Snapshot snapshot) {
    if (!type.storage().equals(SERVICES)) {
      return List.of();
    }
    var operations = new ArrayList<Operation>();
    clusterIps.releaseAll(old, snapshot, operations);
    nodePorts.releaseAll(old, snapshot, operations);
    removeEndpoints(old, snapshot, operations);
    return operations;
  }

  /**
   * Deletes the Endpoints of a deleted Service, so that a new Service of that name does not use
   * them.
   */
  private static void removeEndpoints(
      JsonObject service, Snapshot snapshot, List<Operation> operations) {
    var namespace = ObjectMeta.namespace(service);
    var name = ObjectMeta.name(service);
    var found = snapshot.collection(ENDPOINTS).get(namespace, name);
    if (found != null && ObjectMeta.finalizers(found.tree()).isEmpty()) {
      operations.add(
          new Operation.Delete(ENDPOINTS + "/" + namespace + "/" + name, found.revision()));
    }
  }
}
