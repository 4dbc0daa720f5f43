package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The status as programs read it: full hashes, and times as they are written. */
public final class StatusJson {
  private StatusJson() {}

  public static JsonObject of(FleetStatus status) {
    var servers = status.servers().stream().map(StatusJson::server).toList();
    var discovery = JsonObject.builder();
    status.consistent().ifPresent(told -> discovery.put("consistent", told));
    var hashes = JsonObject.builder();
    status.byHash().forEach((hash, ids) -> hashes.append(hash, JsonArray.ofStrings(ids)));
    discovery.put("hashes", hashes.build());
    discovery.put("withoutHash", JsonArray.ofStrings(status.silent()));
    var endpoints = JsonObject.builder();
    status
        .endpoints()
        .forEach((family, addresses) -> endpoints.append(family, JsonArray.ofStrings(addresses)));
    var json =
        JsonObject.builder()
            .put("askedServer", status.askedUrl())
            .put("version", status.version())
            .put("servers", JsonArray.of(servers))
            .put("discovery", discovery.build())
            .put("serviceAddresses", JsonArray.ofStrings(status.serviceAddresses()))
            .put("endpoints", endpoints.build())
            .put(
                "endpointsWithoutLease", JsonArray.ofStrings(EndpointFindings.withoutLease(status)))
            .putIf("clusterId", status.cluster().id())
            .putIf("clusterSet", status.cluster().clusterSet());
    var leader = status.leader();
    if (leader != null) {
      var body = JsonObject.builder().put("lease", leader.lease()).put("holder", leader.holder());
      put(body, "acquired", leader.acquired());
      put(body, "renewed", leader.renewed());
      json.put("controllerManager", body.build());
    }
    return json.put(
            "health",
            JsonObject.of(
                "ready",
                status.health().ready(),
                "store",
                status.health().store(),
                "failing",
                JsonArray.ofStrings(status.health().failing())))
        .build();
  }

  private static JsonObject server(Server server) {
    var json =
        JsonObject.builder()
            .put("id", server.id())
            .putIf("hostname", server.hostname())
            .put("state", server.state().text());
    put(json, "started", server.started());
    put(json, "lastHeartbeat", server.heartbeat());
    var silence = server.silence();
    if (silence != null) {
      json.put("silenceSeconds", silence.toSeconds());
    }
    return json.put("addresses", JsonArray.ofStrings(server.addresses()))
        .putIf("hash", server.hash())
        .put("agrees", server.agrees())
        .build();
  }

  private static void put(JsonObject.Builder json, String name, @Nullable Instant time) {
    if (time != null) {
      json.put(name, Timestamps.formatMicro(time));
    }
  }
}
