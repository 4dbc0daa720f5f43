package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.endpoints.RealServers.Running;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.store.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that users make, in clusters of one family and of both. */
@Tag("slow")
class UserServicesTest {
  private static final String FOUR = "10.7.0.0/24";
  private static final String BOTH = "10.7.0.0/24,fd07::/112";

  private final MemoryStore store = new MemoryStore();
  private final RealServers servers;

  UserServicesTest(@TempDir Path folder) {
    servers = new RealServers(store, folder);
  }

  @AfterEach
  void close() {
    servers.close();
    store.close();
  }

  private Running server(String ranges) {
    return servers.start("192.0.2.1", ranges, RealServers.QUICK, true);
  }

  private static JsonObject service(String name, Object... spec) {
    var port = JsonObject.of("port", 80, "protocol", "TCP", "targetPort", 80);
    return JsonObject.of(
        "kind",
        "Service",
        "apiVersion",
        "v1",
        "metadata",
        JsonObject.of("name", name, "namespace", "default"),
        "spec",
        JsonObject.of(spec)
            .with("ports", JsonArray.of(port))
            .with("selector", JsonObject.of("app", name)));
  }

  private static JsonObject create(Running server, JsonObject service) {
    server.host().objects().create(PlannedWrite.Kind.SERVICE.resource(), service);
    return read(server, service.object("metadata").string("name"));
  }

  private static JsonObject update(Running server, JsonObject service) {
    server.host().objects().update(PlannedWrite.Kind.SERVICE.resource(), service);
    return read(server, service.object("metadata").string("name"));
  }

  private static JsonObject read(Running server, String name) {
    return Objects.requireNonNull(server.read(PlannedWrite.Kind.SERVICE, name));
  }

  private static List<String> families(JsonObject service) {
    return service.object("spec").array("ipFamilies").strings();
  }

  private static List<String> addresses(JsonObject service) {
    return service.object("spec").array("clusterIPs").strings();
  }

  private static JsonArray texts(String... texts) {
    return JsonArray.ofStrings(List.of(texts));
  }

  private static boolean isTaken(Running server, String address) {
    return server.server().replica().current().collection("/ipaddresses").get("", address) != null;
  }

  private static void refused(String message, Runnable change) {
    assertThatThrownBy(change::run).isInstanceOf(ApiException.class).hasMessageContaining(message);
  }

  @Test
  void aFleetCanBecomeDualStackWhenUsersHaveTakenAllOfTheSecondRange() {
    var ranges = "10.7.0.0/24,fd07::/125";
    var single = server(ranges);
    for (int i = 2; i <= 7; i++) {
      create(single, service("s" + i, "ipFamilies", texts("IPv6")));
    }
    refused("range is full", () -> create(single, service("s8", "ipFamilies", texts("IPv6"))));
    refused(
        "failed to allocate IP fd07::1: the first address of a range is kept for the Service"
            + " kubernetes of the namespace default",
        () -> create(single, service("s9", "clusterIP", "fd07::1")));
    var dual = servers.start("192.0.2.2,2001:db8::2", ranges, RealServers.QUICK, true);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(addresses(read(dual, "kubernetes")))
                    .containsExactly("10.7.0.1", "fd07::1"));
    refused(
        "provided IP is already allocated",
        () -> create(dual, service("s9", "clusterIP", "fd07::1")));
  }

  @Test
  void aDualStackClusterGivesWhatThePolicyAsksFor() {
    var server = server(BOTH);
    var plain = create(server, service("plain"));
    assertThat(families(plain)).containsExactly("IPv4");
    assertThat(plain.object("spec").string("ipFamilyPolicy")).isEqualTo("SingleStack");
    var six = create(server, service("six", "ipFamilies", texts("IPv6")));
    assertThat(addresses(six)).singleElement().asString().startsWith("fd07::");
    var prefers = create(server, service("prefers", "ipFamilyPolicy", "PreferDualStack"));
    assertThat(families(prefers)).containsExactly("IPv4", "IPv6");
    assertThat(addresses(prefers)).hasSize(2);
    var requires =
        create(
            server,
            service(
                "requires",
                "ipFamilyPolicy",
                "RequireDualStack",
                "ipFamilies",
                texts("IPv6", "IPv4")));
    assertThat(addresses(requires).getFirst()).startsWith("fd07::");
    assertThat(requires.object("spec").string("clusterIP"))
        .isEqualTo(addresses(requires).getFirst());
    var chosen =
        create(
            server,
            service(
                "chosen",
                "ipFamilyPolicy",
                "RequireDualStack",
                "clusterIP",
                "10.7.0.9",
                "clusterIPs",
                texts("10.7.0.9", "fd07::9")));
    assertThat(families(chosen)).containsExactly("IPv4", "IPv6");
    refused(
        "provided IP is already allocated",
        () ->
            create(
                server, service("again", "clusterIP", "fd07::9", "clusterIPs", texts("fd07::9"))));
    refused(
        "when multiple cluster IPs are specified",
        () ->
            create(
                server,
                service(
                    "two", "clusterIP", "10.7.0.8", "clusterIPs", texts("10.7.0.8", "fd07::8"))));
  }

  @Test
  void policiesAreUpgradedAndDowngraded() {
    var server = server(BOTH);
    var single = create(server, service("a"));
    var first = addresses(single).getFirst();
    var both = update(server, single.withAt(Json.of("RequireDualStack"), "spec", "ipFamilyPolicy"));
    assertThat(addresses(both)).hasSize(2).startsWith(first);
    var second = addresses(both).get(1);
    assertThat(isTaken(server, second)).isTrue();
    refused(
        "SingleStack",
        () ->
            update(
                server,
                both.withAt(texts(first), "spec", "clusterIPs")
                    .withAt(texts("IPv4"), "spec", "ipFamilies")));
    var back = update(server, both.withAt(Json.of("SingleStack"), "spec", "ipFamilyPolicy"));
    assertThat(addresses(back)).containsExactly(first);
    assertThat(families(back)).containsExactly("IPv4");
    assertThat(isTaken(server, second)).isFalse();
    var chosen =
        update(
            server,
            back.withAt(Json.of("PreferDualStack"), "spec", "ipFamilyPolicy")
                .withAt(texts(first, "fd07::77"), "spec", "clusterIPs"));
    assertThat(addresses(chosen)).containsExactly(first, "fd07::77");
    refused(
        "",
        () -> update(server, chosen.withAt(texts("10.7.0.200", "fd07::77"), "spec", "clusterIPs")));
    server.host().objects().delete(PlannedWrite.Kind.SERVICE.resource(), chosen);
    assertThat(isTaken(server, first)).isFalse();
    assertThat(isTaken(server, "fd07::77")).isFalse();
  }

  @Test
  void aClusterOfOneFamilyPrefersWithoutPromisingAndKeepsWhatItHasWhenItGrows() {
    var one = server(FOUR);
    refused(
        "this cluster is not configured for dual-stack services",
        () -> create(one, service("requires", "ipFamilyPolicy", "RequireDualStack")));
    refused(
        "not configured on this cluster",
        () -> create(one, service("six", "ipFamilies", texts("IPv6"))));
    var prefers = create(one, service("prefers", "ipFamilyPolicy", "PreferDualStack"));
    assertThat(addresses(prefers)).hasSize(1);
    one.close();
    var grown = server(BOTH);
    var kept =
        update(grown, read(grown, "prefers").withAt(Json.of("x"), "metadata", "labels", "l"));
    assertThat(addresses(kept)).as("nothing is upgraded unasked").hasSize(1);
    var asked = update(grown, kept.withAt(Json.of("RequireDualStack"), "spec", "ipFamilyPolicy"));
    assertThat(addresses(asked)).hasSize(2);
    assertThat(
            Objects.requireNonNull(
                    grown
                        .server()
                        .replica()
                        .current()
                        .collection("/servicecidrs")
                        .get("", "kubernetes"))
                .tree()
                .object("spec")
                .array("cidrs")
                .strings())
        .containsExactly("10.7.0.0/24", "fd07::/112");
  }

  @Test
  void servicesWithoutAddressesHaveFamiliesAllTheSame() {
    var server = server(FOUR);
    var headless = service("headless", "clusterIP", "None", "clusterIPs", texts("None"));
    var selectorless = headless.withoutAt("spec", "selector");
    var made = create(server, selectorless);
    assertThat(families(made)).containsExactly("IPv4", "IPv6");
    assertThat(made.object("spec").string("ipFamilyPolicy")).isEqualTo("RequireDualStack");
    var named =
        create(
            server,
            service("named", "type", "ExternalName", "externalName", "example.com")
                .withoutAt("spec", "selector"));
    assertThat(named.object("spec").has("ipFamilies")).isFalse();
    assertThat(addresses(named)).isEmpty();
  }
}
