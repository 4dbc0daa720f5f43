package dev.muster.fleet.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.fleet.endpoints.RealServers.Running;
import dev.muster.fleet.endpoints.form.Endpoint;
import dev.muster.fleet.endpoints.form.PlannedWrite;
import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.testing.TestTls;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What users with the ClusterRole {@code edit} can do to the published endpoints, with requests to
 * whole servers: nothing.
 */
@Tag("slow")
class EditorsTest {
  private static final String FOUR = "10.7.0.0/24";
  private static final String ENTRIES =
      "/api/v1/namespaces/default/configmaps/kube-apiserver-endpoints";
  private static final String CONFIG =
      "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-config";
  private static final String FORGED = "ip-192-0-2-66-6443";
  private static final EndpointOptions CONFIGMAP =
      RealServers.QUICK.withType(ReconcilerType.CONFIGMAP);

  private final MemoryStore store = new MemoryStore();
  private final RealServers servers;
  private final HttpClient client =
      HttpClient.newBuilder().sslContext(TestTls.trustingAnyone()).build();

  EditorsTest(@TempDir Path folder) {
    servers = new RealServers(store, folder);
  }

  @AfterEach
  void close() {
    servers.close();
    store.close();
    client.close();
  }

  private record Attempt(String method, String path, String type, String body) {
    Attempt dryRun() {
      return new Attempt(
          method, path + (path.contains("?") ? "&" : "?") + "dryRun=All", type, body);
    }
  }

  private HttpResponse<String> ask(Running server, String user, Attempt attempt) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port() + attempt.path()))
            .header("Authorization", "Bearer " + RealServers.TOKEN)
            .timeout(Duration.ofSeconds(60))
            .method(attempt.method(), HttpRequest.BodyPublishers.ofString(attempt.body()));
    if (!user.isEmpty()) {
      request.header("Impersonate-User", user);
    }
    if (!attempt.type().isEmpty()) {
      request.header("Content-Type", attempt.type());
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private void must(Running server, String method, String path, String body) throws Exception {
    var type = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    var answer = ask(server, "", new Attempt(method, path, type, body));
    assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isLessThan(300);
  }

  private void bind(Running server, String user, String role, String namespace) throws Exception {
    boolean everywhere = namespace.isEmpty();
    must(
        server,
        "POST",
        "/apis/rbac.authorization.k8s.io/v1/"
            + (everywhere ? "clusterrolebindings" : "namespaces/" + namespace + "/rolebindings"),
        """
        {"kind":"%s","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"%s"},
         "subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"%s"}],
         "roleRef":{"kind":"ClusterRole","apiGroup":"rbac.authorization.k8s.io","name":"%s"}}
        """
            .formatted(everywhere ? "ClusterRoleBinding" : "RoleBinding", user, user, role));
  }

  /** Every way in which a ConfigMap is written. */
  private static List<Attempt> writes(String path, String data) {
    var name = path.substring(path.lastIndexOf('/') + 1);
    var collection = path.substring(0, path.lastIndexOf('/'));
    var object =
        """
        {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"%s"},"data":%s}\
        """
            .formatted(name, data);
    var json = "application/json";
    var all =
        new ArrayList<>(
            List.of(
                new Attempt("POST", collection, json, object),
                new Attempt("PUT", path, json, object),
                new Attempt("PATCH", path, "application/merge-patch+json", object),
                new Attempt("PATCH", path, "application/strategic-merge-patch+json", object),
                new Attempt(
                    "PATCH",
                    path,
                    "application/json-patch+json",
                    "[{\"op\":\"add\",\"path\":\"/data\",\"value\":" + data + "}]"),
                new Attempt(
                    "PATCH",
                    path + "?fieldManager=me&force=true",
                    "application/apply-patch+yaml",
                    object),
                new Attempt("DELETE", path, json, ""),
                new Attempt("DELETE", path + "?gracePeriodSeconds=0", json, ""),
                new Attempt("DELETE", collection, json, ""),
                new Attempt(
                    "DELETE", collection + "?fieldSelector=metadata.name%3D" + name, json, "")));
    List.copyOf(all).forEach(attempt -> all.add(attempt.dryRun()));
    return all;
  }

  private static String entry() {
    return "{\"" + FORGED + "\":\"" + Instant.now() + "\",\"master-count\":\"7\"}";
  }

  /** What clients find the API by. */
  private static List<String> published(Running server) {
    var endpoints = Objects.requireNonNull(server.read(PlannedWrite.Kind.ENDPOINTS, "kubernetes"));
    var service = Objects.requireNonNull(server.read(PlannedWrite.Kind.SERVICE, "kubernetes"));
    var spec = service.object("spec");
    var slices = new TreeSet<String>();
    for (var slice : server.server().replica().current().collection("/endpointslices").all()) {
      slices.add(slice.tree().array("endpoints") + " " + slice.tree().array("ports"));
    }
    return List.of(
        endpoints.array("subsets").toString(),
        slices.toString(),
        spec.array("ports").toString(),
        spec.array("ipFamilies").toString(),
        spec.object("selector").toString());
  }

  private static boolean isReady(Running server, int addresses) {
    var endpoints = server.read(PlannedWrite.Kind.ENDPOINTS, "kubernetes");
    return endpoints != null
        && Endpoint.ofEndpoints(endpoints).size() == addresses
        && server.metric("muster_endpoints_addresses") == addresses;
  }

  private static double renewals(Running server) {
    return server.metric("muster_endpoints_renewals_total");
  }

  /** Every server has had several looks. */
  private static void awaitLooks(Running server) {
    double before = renewals(server);
    await().atMost(Duration.ofSeconds(60)).until(() -> renewals(server) >= before + 3);
  }

  @Test
  void editorsCannotWriteTheConfigMapsOfServersInAnyWay() throws Exception {
    var one = servers.start("192.0.2.1", FOUR, RealServers.QUICK, true);
    await().atMost(Duration.ofSeconds(60)).until(() -> isReady(one, 1));
    bind(one, "mallory", "edit", "default");
    bind(one, "eve", "edit", "kube-system");
    bind(one, "carol", "admin", "");
    refusesAll(one);
    var two = servers.start("192.0.2.2", FOUR, CONFIGMAP, true);
    await().atMost(Duration.ofSeconds(60)).until(() -> isReady(one, 2));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> ask(one, "", new Attempt("GET", ENTRIES, "", "")).statusCode() == 200);
    var before = published(one);
    refusesAll(one);
    refusesAll(two);
    awaitLooks(one);
    awaitLooks(two);
    assertThat(published(one)).isEqualTo(before);
    assertThat(ask(one, "", new Attempt("GET", ENTRIES, "", "")).body()).doesNotContain(FORGED);
  }

  private void refusesAll(Running server) throws Exception {
    var attacks = new ArrayList<List<String>>();
    for (var user : List.of("mallory", "carol")) {
      attacks.add(List.of(user, ENTRIES, entry()));
    }
    for (var user : List.of("eve", "carol")) {
      attacks.add(List.of(user, CONFIG, "{\"expiration-duration\":\"24h\"}"));
    }
    for (var attack : attacks) {
      var path = attack.get(1);
      boolean there = ask(server, "", new Attempt("GET", path, "", "")).statusCode() == 200;
      for (var attempt : writes(path, attack.get(2))) {
        var answer = ask(server, attack.getFirst(), attempt);
        boolean creates = attempt.method().equals("POST") || attempt.type().contains("apply");
        if (there || creates) {
          assertThat(answer.statusCode())
              .as("%s %s: %s", attack.getFirst(), attempt, answer.body())
              .isEqualTo(403);
          assertThat(answer.body()).contains("endpoints \\\"kubernetes\\\"");
        }
      }
    }
    assertThat(ask(server, "mallory", new Attempt("GET", ENTRIES, "", "")).statusCode())
        .isIn(200, 404);
  }

  @Test
  void anEntryThatIsThereAlreadyBringsNothingIn() throws Exception {
    var lease = servers.start("192.0.2.1", FOUR, RealServers.QUICK, true);
    await().atMost(Duration.ofSeconds(60)).until(() -> isReady(lease, 1));
    lease
        .host()
        .objects()
        .create(
            ConfigMapRecords.RESOURCE,
            ConfigMapRecords.configMap(
                "default", ConfigMapRecords.NAME, JsonObject.of(FORGED, Instant.now().toString())));
    var before = published(lease);
    renewEntry(lease);
    assertThat(published(lease)).isEqualTo(before);
    var other = servers.start("192.0.2.2", FOUR, CONFIGMAP, true);
    await().atMost(Duration.ofSeconds(60)).until(() -> isReady(lease, 2));
    var both = published(lease);
    renewEntry(other);
    assertThat(published(lease)).isEqualTo(both);
    assertThat(both.toString()).doesNotContain("192.0.2.66");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                lease.server().replica().current().collection("/events").in("default").stream()
                    .anyMatch(
                        event ->
                            event.tree().string("reason").equals("UnknownEntry")
                                && event.tree().string("message").contains(FORGED)));
  }

  /** As somebody does who writes through another API server. */
  private void renewEntry(Running server) throws Exception {
    for (int i = 0; i < 3; i++) {
      must(server, "PATCH", ENTRIES, "{\"data\":" + entry() + "}");
      awaitLooks(server);
    }
  }

  @Test
  void editorsCannotWriteEndpointsAndWhatTheyDoToTheServiceIsUndone() throws Exception {
    var one = servers.start("192.0.2.1", FOUR, RealServers.QUICK, true);
    await().atMost(Duration.ofSeconds(60)).until(() -> isReady(one, 1));
    bind(one, "mallory", "edit", "default");
    var before = published(one);
    var json = "application/json";
    var merge = "application/merge-patch+json";
    var endpoints = "/api/v1/namespaces/default/endpoints";
    var slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    var slice =
        """
        {"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"name":"kubernetes-x",
         "labels":{"kubernetes.io/service-name":"kubernetes"}},"addressType":"IPv4",
         "endpoints":[{"addresses":["192.0.2.66"]}]}\
        """;
    for (var attempt :
        List.of(
            new Attempt("PATCH", endpoints + "/kubernetes", merge, "{\"subsets\":[]}"),
            new Attempt("DELETE", endpoints + "/kubernetes", json, ""),
            new Attempt("DELETE", endpoints, json, ""),
            new Attempt("POST", slices, json, slice),
            new Attempt("PATCH", slices + "/kubernetes", merge, "{\"endpoints\":[]}"),
            new Attempt("DELETE", slices, json, ""))) {
      assertThat(ask(one, "mallory", attempt).statusCode()).as("%s", attempt).isEqualTo(403);
    }
    var patched =
        ask(
            one,
            "mallory",
            new Attempt(
                "PATCH",
                "/api/v1/namespaces/default/services/kubernetes",
                merge,
                "{\"spec\":{\"selector\":{\"app\":\"evil\"},"
                    + "\"ports\":[{\"name\":\"https\",\"port\":443,\"targetPort\":9}]}}"));
    assertThat(patched.statusCode()).isEqualTo(200);
    await().atMost(Duration.ofSeconds(60)).until(() -> published(one).equals(before));
  }

  @Test
  void usersWhoMayWriteTheEndpointsMayWriteTheConfigMaps() throws Exception {
    var one = servers.start("192.0.2.1", FOUR, CONFIGMAP, true);
    await().atMost(Duration.ofSeconds(60)).until(() -> isReady(one, 1));
    bind(one, "root", "cluster-admin", "");
    bind(one, "mallory", "edit", "default");
    var setting = "{\"data\":{\"expiration-duration\":\"2m\"}}";
    var merge = "application/merge-patch+json";
    for (var user : List.of("", "root")) {
      assertThat(ask(one, user, new Attempt("PATCH", CONFIG, merge, setting)).statusCode())
          .isEqualTo(200);
      assertThat(ask(one, user, new Attempt("DELETE", ENTRIES, "", "")).statusCode())
          .isEqualTo(200);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> ask(one, "", new Attempt("GET", ENTRIES, "", "")).statusCode() == 200);
    }
    for (var namespace : List.of("default", "kube-system")) {
      var others = "/api/v1/namespaces/" + namespace + "/configmaps";
      bind(one, "editor-of-" + namespace, "edit", namespace);
      for (var name : List.of("mine", "kube-apiserver-config", "kube-apiserver-endpoints")) {
        boolean theirs =
            !(others + "/" + name).equals(ENTRIES) && !(others + "/" + name).equals(CONFIG);
        var body = "{\"metadata\":{\"name\":\"" + name + "\"}}";
        var answer =
            ask(
                one,
                "editor-of-" + namespace,
                new Attempt("POST", others, "application/json", body));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(theirs ? 201 : 403);
      }
    }
  }
}
