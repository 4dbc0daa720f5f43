package dev.muster.fleet.endpoints;

import dev.muster.fleet.endpoints.form.DesiredEndpointSlices;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.address.Cidr;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.replica.snapshot.Snapshot;
import dev.muster.server.ServerHost;
import dev.muster.store.CommitResult;
import dev.muster.store.Operation;
import dev.muster.store.StoreException;
import dev.muster.store.Transaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads and changes the cluster through one server's replica, handlers and store. Thread-safe. */
final class ServerCluster implements EndpointsCluster {
  private static final String CONFIG_MAPS = "/configmaps";
  private final ServerHost host;
  private final Duration patience;
  private final boolean withConfigMaps;

  /**
   * @param withConfigMaps whether it reads the ConfigMaps with entries of servers
   * @param patience how long to wait for the store
   */
  ServerCluster(ServerHost host, Duration patience, boolean withConfigMaps) {
    this.host = host;
    this.patience = patience;
    this.withConfigMaps = withConfigMaps;
  }

  @Override
  public EndpointsView view() {
    return view(host.replica().current());
  }

  private EndpointsView view(Snapshot snapshot) {
    var slices = new HashMap<String, JsonObject>();
    for (var slice :
        snapshot.collection(PlannedWrite.Kind.SLICE.storage()).in(DesiredEndpoints.NAMESPACE)) {
      var name = slice.name().name();
      if (DesiredEndpointSlices.matters(name, slice.label(DesiredEndpointSlices.SERVICE_LABEL))) {
        slices.put(name, slice.tree());
      }
    }
    var ranges = new ArrayList<Cidr>();
    for (var object : snapshot.collection("/servicecidrs").all()) {
      for (var text : object.tree().object("spec").array("cidrs").strings()) {
        ranges.add(Cidr.parse(text));
      }
    }
    return new EndpointsView(
        snapshot.rawUnder(LeaseRecords.OWN),
        snapshot.rawUnder(LeaseRecords.MASTER),
        PublicationPlan.Objects.of(
            object(
                snapshot,
                PlannedWrite.Kind.SERVICE.storage(),
                DesiredEndpoints.NAMESPACE,
                DesiredEndpoints.NAME),
            object(
                snapshot,
                PlannedWrite.Kind.ENDPOINTS.storage(),
                DesiredEndpoints.NAMESPACE,
                DesiredEndpoints.NAME),
            slices),
        configMap(snapshot, DesiredEndpoints.NAMESPACE, ConfigMapRecords.NAME),
        configMap(snapshot, ConfigMapRecords.CONFIG_NAMESPACE, ConfigMapRecords.CONFIG_NAME),
        ranges);
  }

  private @Nullable JsonObject configMap(Snapshot snapshot, String namespace, String name) {
    return withConfigMaps ? object(snapshot, CONFIG_MAPS, namespace, name) : null;
  }

  private static @Nullable JsonObject object(
      Snapshot snapshot, String storage, String namespace, String name) {
    var object = snapshot.collection(storage).get(namespace, name);
    return object == null ? null : object.tree();
  }

  @Override
  public EndpointsView commit(List<Operation> operations) {
    return switch (await(host.store().commit(new Transaction(operations)))) {
      case CommitResult.Committed committed ->
          view(await(host.replica().applied(committed.revision())));
      case CommitResult.Conflict conflict ->
          throw new ApiException(
              Reason.CONFLICT, conflict.found() + " is not as expected", StatusDetails.EMPTY);
      case CommitResult.Unknown unknown -> throw unknown.cause();
    };
  }

  private <T> T await(CompletableFuture<T> future) {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException.Unavailable("interrupted", e);
    } catch (TimeoutException e) {
      throw new StoreException.Unavailable(
          "the store does not answer within " + GoDuration.format(patience), e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void write(PlannedWrite write) {
    var resource = write.kind().resource();
    switch (write) {
      case PlannedWrite.Create create -> host.objects().create(resource, create.object());
      case PlannedWrite.Update update -> host.objects().update(resource, update.object());
      case PlannedWrite.Delete delete -> host.objects().delete(resource, delete.object());
    }
  }

  @Override
  public void createConfigMap(JsonObject configMap) {
    host.objects().create(ConfigMapRecords.RESOURCE, configMap);
  }

  @Override
  public void patchConfigMap(JsonObject patch) {
    host.objects()
        .patch(ConfigMapRecords.RESOURCE, DesiredEndpoints.NAMESPACE, ConfigMapRecords.NAME, patch);
  }
}
