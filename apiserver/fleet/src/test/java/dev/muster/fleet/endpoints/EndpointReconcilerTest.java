package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.endpoints.RealServers.Running;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole servers on one store in memory. */
@Tag("slow")
class EndpointReconcilerTest {
  private static final String FOUR = "10.7.0.0/24";
  private static final String BOTH = "10.7.0.0/24,fd07::/112";

  private final MemoryStore store = new MemoryStore();
  private final RealServers servers;

  EndpointReconcilerTest(@TempDir Path folder) {
    servers = new RealServers(store, folder);
  }

  @AfterEach
  void close() {
    servers.close();
    store.close();
  }

  private static List<String> published(Running server) {
    var endpoints = server.read(PlannedWrite.Kind.ENDPOINTS, "kubernetes");
    if (endpoints == null) {
      return List.of("none");
    }
    return endpoints.array("subsets").objects().stream()
        .flatMap(
            subset ->
                subset.array("addresses").objects().stream()
                    .map(
                        address ->
                            address.string("ip")
                                + ":"
                                + subset.array("ports").object(0).integer("port", 0)))
        .toList();
  }

  private static List<String> slice(Running server, String name) {
    var slice = server.read(PlannedWrite.Kind.SLICE, name);
    return slice == null
        ? List.of("none")
        : slice.array("endpoints").objects().stream()
            .flatMap(endpoint -> endpoint.array("addresses").strings().stream())
            .toList();
  }

  private static void eventually(Runnable check) {
    await().atMost(Duration.ofSeconds(60)).untilAsserted(check::run);
  }

  @Test
  void aFirstServerMakesServiceEndpointsAndSlice() {
    var one = servers.start("192.0.2.1", FOUR, RealServers.QUICK, true);
    eventually(() -> assertThat(slice(one, "kubernetes")).containsExactly("192.0.2.1"));
    var service = Objects.requireNonNull(one.read(PlannedWrite.Kind.SERVICE, "kubernetes"));
    assertThat(service.object("metadata", "labels").strings())
        .containsEntry("component", "apiserver")
        .containsEntry("provider", "kubernetes")
        .hasSize(2);
    var spec = service.object("spec");
    assertThat(spec.array("clusterIPs").strings()).containsExactly("10.7.0.1");
    assertThat(spec.string("ipFamilyPolicy")).isEqualTo("SingleStack");
    assertThat(spec.array("ports").object(0))
        .isEqualTo(
            JsonObject.of(
                "name", "https", "port", 443, "protocol", "TCP", "targetPort", one.port()));
    assertThat(published(one)).containsExactly("192.0.2.1:" + one.port());
    var endpoints = Objects.requireNonNull(one.read(PlannedWrite.Kind.ENDPOINTS, "kubernetes"));
    assertThat(endpoints.object("metadata", "labels").strings())
        .containsOnly(Map.entry("endpointslice.kubernetes.io/skip-mirror", "true"));
  }

  @Test
  void serversComeAndGo() {
    var one = servers.start("192.0.2.1,2001:db8::1", BOTH, RealServers.QUICK, true);
    var two = servers.start("192.0.2.2,2001:db8::2", BOTH, RealServers.QUICK, true);
    eventually(
        () -> {
          assertThat(published(one))
              .containsExactlyInAnyOrder("192.0.2.1:" + one.port(), "192.0.2.2:" + two.port());
          assertThat(
                  Objects.requireNonNull(one.read(PlannedWrite.Kind.SERVICE, "kubernetes"))
                      .object("spec")
                      .array("clusterIPs")
                      .strings())
              .containsExactly("10.7.0.1", "fd07::1");
        });
    two.close();
    assertThat(published(one)).containsExactly("192.0.2.1:" + one.port());
    assertThat(slice(one, "kubernetes-ipv6")).containsExactly("2001:db8::1");
    one.close();
    assertThat(published(one)).isEmpty();
    assertThat(slice(one, "kubernetes")).isEmpty();
    assertThat(one.read(PlannedWrite.Kind.SLICE, "kubernetes-ipv6")).isNull();
    assertThat(
            Objects.requireNonNull(one.read(PlannedWrite.Kind.SERVICE, "kubernetes"))
                .object("spec")
                .array("clusterIPs")
                .strings())
        .containsExactly("10.7.0.1");
  }

  @Test
  void whatSomebodyEditsIsRepairedAndNothingIsWrittenOtherwise() {
    var one = servers.start("192.0.2.1", FOUR, RealServers.QUICK, true);
    eventually(() -> assertThat(slice(one, "kubernetes")).containsExactly("192.0.2.1"));
    var right = Objects.requireNonNull(one.read(PlannedWrite.Kind.ENDPOINTS, "kubernetes"));
    var service = Objects.requireNonNull(one.read(PlannedWrite.Kind.SERVICE, "kubernetes"));
    one.host()
        .objects()
        .update(
            PlannedWrite.Kind.ENDPOINTS.resource(),
            right.with(
                "subsets",
                JsonArray.of(
                    right
                        .array("subsets")
                        .object(0)
                        .with(
                            "ports",
                            JsonArray.of(
                                JsonObject.of("name", "odd", "port", 1, "protocol", "TCP"))))));
    one.host()
        .objects()
        .update(
            PlannedWrite.Kind.SERVICE.resource(),
            service
                .withAt(Json.of("ClientIP"), "spec", "sessionAffinity")
                .withAt(JsonObject.EMPTY, "metadata", "labels"));
    eventually(
        () -> {
          assertThat(published(one)).containsExactly("192.0.2.1:" + one.port());
          var now = Objects.requireNonNull(one.read(PlannedWrite.Kind.SERVICE, "kubernetes"));
          assertThat(now.object("spec").string("sessionAffinity")).isEqualTo("None");
          assertThat(now.object("metadata", "labels").strings()).hasSize(2);
        });
  }

  @Test
  void aUsersSliceOfAnotherServiceStaysWhateverItsName() {
    var one = servers.start("192.0.2.1", FOUR, RealServers.QUICK, true);
    eventually(() -> assertThat(slice(one, "kubernetes")).containsExactly("192.0.2.1"));
    one.host()
        .objects()
        .create(
            PlannedWrite.Kind.SLICE.resource(),
            JsonObject.of(
                "kind",
                "EndpointSlice",
                "apiVersion",
                "discovery.k8s.io/v1",
                "metadata",
                JsonObject.of(
                    "name",
                    "kubernetes-9090",
                    "namespace",
                    "default",
                    "labels",
                    JsonObject.of("kubernetes.io/service-name", "web")),
                "addressType",
                "IPv4",
                "endpoints",
                JsonArray.EMPTY));
    var two = servers.start("192.0.2.2", FOUR, RealServers.QUICK, true);
    eventually(() -> assertThat(published(one)).hasSize(2));
    two.close();
    assertThat(one.read(PlannedWrite.Kind.SLICE, "kubernetes-9090")).isNotNull();
  }

  @Test
  void eventsAreSentencesWithOneNameAndDurationsAsInFlags() {
    var options = RealServers.QUICK.withType(ReconcilerType.CONFIGMAP);
    var one = servers.start("192.0.2.1,2001:db8::1", BOTH, options, true);
    eventually(() -> assertThat(slice(one, "kubernetes-ipv6")).containsExactly("2001:db8::1"));
    one.host()
        .objects()
        .patch(
            ConfigMapRecords.RESOURCE,
            "kube-system",
            ConfigMapRecords.CONFIG_NAME,
            JsonObject.of("data", JsonObject.of(ConfigMapRecords.EXPIRATION, "often")));
    eventually(
        () ->
            assertThat(messages(one))
                .contains(
                    "Service made with 10.7.0.1, fd07::1",
                    "Endpoints made with 192.0.2.1:" + one.port(),
                    "EndpointSlice made with 192.0.2.1:" + one.port(),
                    "EndpointSlice kubernetes-ipv6 made with [2001:db8::1]:" + one.port(),
                    "expiration-duration is not a duration: often; 1m0s stays in force"));
    assertThat(messages(one))
        .noneMatch(message -> message.matches(".*PT[0-9].*"))
        .noneMatch(message -> message.contains("kubernetes kubernetes"));
  }

  private static List<String> messages(Running server) {
    var found = new ArrayList<String>();
    for (var event : server.server().replica().current().collection("/events").in("default")) {
      found.add(event.tree().string("message"));
    }
    return found;
  }

  @Test
  void serversThatStartTogetherDoNotComplainAboutOneAnother() throws Exception {
    var started = new CopyOnWriteArrayList<Running>();
    try (var together = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= 4; i++) {
        var addresses = "192.0.2." + i + ",2001:db8::" + i;
        together.execute(
            () -> started.add(servers.start(addresses, BOTH, RealServers.QUICK, true)));
      }
    }
    eventually(() -> assertThat(published(started.getFirst())).hasSize(4));
    var events =
        started.getFirst().server().replica().current().collection("/events").in("default");
    for (var event : events) {
      assertThat(event.tree().string("reason")).doesNotEndWith("Failed");
    }
  }
}
