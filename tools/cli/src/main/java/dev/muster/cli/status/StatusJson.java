package dev.muster.cli.status;

import dev.muster.cli.status.FleetStatus.Agreement;
import dev.muster.cli.status.FleetStatus.FailingCheck;
import dev.muster.cli.status.FleetStatus.Health;
import dev.muster.cli.status.FleetStatus.Server;
import dev.muster.cli.status.FleetStatus.StoreState;
import dev.muster.model.Timestamps;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats the status as JSON, with full hashes and original times. */
public final class StatusJson {
  private StatusJson() {}

  public static JsonObject of(FleetStatus status) {
    var servers = status.servers().stream().map(server -> server(server, status.now())).toList();
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
            .putIf("clusterId", status.cluster().id())
            .putIf("clusterSet", status.cluster().clusterSet());
    var leader = status.leader();
    if (leader != null) {
      var body = JsonObject.builder().put("lease", leader.lease()).put("holder", leader.holder());
      put(body, "acquired", leader.acquired());
      put(body, "renewed", leader.renewed());
      body.put("state", leader.state().name().toLowerCase(Locale.ROOT));
      put(body, "silenceSeconds", leader.silence());
      put(body, "clockOffsetSeconds", leader.clockOffset());
      json.put("controllerManager", body.build());
    }
    return json.put("health", health(status.health())).put("problems", problems(status)).build();
  }

  private static JsonObject health(Health health) {
    var reasons = JsonObject.builder();
    health.failing().forEach(check -> reasons.append(check.name(), Json.of(check.reason())));
    return JsonObject.builder()
        .put("ready", health.ready())
        .put("store", health.store() == StoreState.OK || health.store() == StoreState.READ_ONLY)
        .put("storeState", health.store().name().toLowerCase(Locale.ROOT).replace('_', ' '))
        .put(
            "failing",
            JsonArray.ofStrings(health.failing().stream().map(FailingCheck::name).toList()))
        .put("reasons", reasons.build())
        .build();
  }

  private static JsonArray problems(FleetStatus status) {
    return JsonArray.of(
        status.problems().stream()
            .map(
                problem ->
                    JsonObject.builder()
                        .put("code", problem.code())
                        .putIf("subject", problem.subject())
                        .put("problem", problem.problem())
                        .put("action", problem.action())
                        .build())
            .toList());
  }

  private static JsonObject server(Server server, Instant now) {
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
    put(json, "clockOffsetSeconds", server.clockOffset(now));
    json.put("addresses", JsonArray.ofStrings(server.addresses())).putIf("hash", server.hash());
    // Absent when no hash is the most common one.
    if (server.agrees() != Agreement.UNDECIDED) {
      json.put("agrees", server.isOfMost());
    }
    return json.build();
  }

  private static void put(JsonObject.Builder json, String name, @Nullable Duration time) {
    if (time != null) {
      json.put(name, time.toSeconds());
    }
  }

  private static void put(JsonObject.Builder json, String name, @Nullable Instant time) {
    if (time != null) {
      json.put(name, Timestamps.formatMicro(time));
    }
  }
}
