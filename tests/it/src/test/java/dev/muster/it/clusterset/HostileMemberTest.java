package dev.muster.it.clusterset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.controllers.client.ApiRequests;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.garbagecollector.GarbageCollector;
import dev.muster.it.ServerInProcess;
import dev.muster.multicluster.membership.ClusterSetMember;
import dev.muster.multicluster.membership.ClusterSetMembership;
import dev.muster.multicluster.membership.ClusterSets;
import dev.muster.multicluster.membership.MembershipOperator;
import dev.muster.multicluster.rules.ClusterIdRules;
import dev.muster.multicluster.services.AddressRange;
import dev.muster.multicluster.services.MemberServices;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A member with the account that it was given when it joined tries everything against another
 * member, in a hub as {@code muster clusterset create} makes it.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HostileMemberTest {
  private static final String SET =
      "/apis/clusterset.muster.dev/v1alpha1/namespaces/clusterset-prod";
  private static final String EXPORTS = SET + "/exportedservices";
  private static final String ADDRESSES = SET + "/clustersetips";
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/clusterset-prod/endpointslices";
  private static final ClusterIdRules IDS = new ClusterIdRules(false);

  @TempDir private static Path folder;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private KubernetesClient hub;
  private NamedCluster victim;
  private ApiRequests evil;
  private String claimUid = "";

  @BeforeAll
  void start() throws Exception {
    var hubServer = ServerInProcess.start(Files.createDirectory(folder.resolve("hub")));
    open.push(hubServer);
    hub = Clients.of(hubServer.kubeconfig());
    open.push(hub);
    open.push(new GarbageCollector(2).start(hub));
    assertThat(new ClusterSets(hub).create("prod", "").lacking()).isEmpty();
    victim = join("victim");
    evil = new ApiRequests(account(join("evil")));
    claimUid =
        hub.resources(ClusterSetMember.class)
            .inNamespace("clusterset-prod")
            .withName("evil")
            .get()
            .getMetadata()
            .getUid();
    for (var name : List.of("shop", "other")) {
      victim
          .client()
          .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
          .create();
    }
    var ranges = AddressRange.parseAll(ClusterSets.DEFAULT_RANGES);
    open.push(new MemberServices(account(victim), "prod", "victim", ranges).start(victim.client()));
    export("db");
    await().until(() -> ips("db").size() == 1);
    await().until(() -> endpoints("db").equals(List.of("10.1.0.1")));
  }

  @AfterAll
  void stop() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  private NamedCluster join(String name) throws Exception {
    var cluster = NamedCluster.start(folder.resolve(name), Optional.of(name));
    open.push(cluster);
    new MembershipOperator(cluster.client(), hub, IDS).join("prod");
    return cluster;
  }

  /** The hub as the cluster reaches it with what it was given when it joined. */
  private KubernetesClient account(NamedCluster cluster) throws Exception {
    var membership =
        cluster.client().resources(ClusterSetMembership.class).withName("membership").get();
    var secret =
        cluster
            .client()
            .secrets()
            .inNamespace("kube-system")
            .withName(membership.getSpec().hubSecret())
            .get();
    var text = Base64.getDecoder().decode(secret.getData().get("kubeconfig"));
    var file = folder.resolve(cluster.properties().clusterId().orElseThrow() + ".kubeconfig");
    var client = Clients.of(Files.writeString(file, new String(text, StandardCharsets.UTF_8)));
    open.push(client);
    return client;
  }

  private void export(String name) {
    for (var yaml :
        List.of(
            """
            apiVersion: v1
            kind: Service
            metadata: {name: %s, namespace: shop}
            spec: {ports: [{name: sql, port: 5432}]}
            """,
            """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {name: %1$s-1, namespace: shop, labels: {kubernetes.io/service-name: %1$s}}
            addressType: IPv4
            ports: [{name: sql, port: 5432}]
            endpoints: [{addresses: [10.1.0.1]}]
            """)) {
      victim.client().resource(yaml.formatted(name)).create();
    }
    await()
        .ignoreExceptions()
        .until(
            () -> {
              victim
                  .client()
                  .resource(
                      """
                      apiVersion: multicluster.x-k8s.io/v1beta1
                      kind: ServiceExport
                      metadata: {name: %s, namespace: shop}
                      """
                          .formatted(name))
                  .create();
              return true;
            });
  }

  private List<String> ips(String name) {
    return Optional.ofNullable(imported(name))
        .map(found -> found.<List<String>>get("spec", "ips"))
        .orElse(List.of());
  }

  private GenericKubernetesResource imported(String name) {
    return victim
        .client()
        .genericKubernetesResources("multicluster.x-k8s.io/v1beta1", "ServiceImport")
        .inNamespace("shop")
        .withName(name)
        .get();
  }

  private List<String> endpoints(String name) {
    return victim
        .client()
        .discovery()
        .v1()
        .endpointSlices()
        .inNamespace("shop")
        .withLabel("multicluster.kubernetes.io/service-name", name)
        .list()
        .getItems()
        .stream()
        .flatMap(slice -> slice.getEndpoints().stream())
        .flatMap(endpoint -> endpoint.getAddresses().stream())
        .sorted()
        .toList();
  }

  /** That the hub says no to evil, and why. */
  private void assertRefused(String method, String path, Object body, String why) {
    var media = method.equals("PATCH") ? "application/merge-patch+json" : "application/json";
    var answer = evil.send(method, path, "application/json", media, body);
    assertThat(String.valueOf(answer.body().get("message")))
        .as("%s %s %s", method, path, answer.code())
        .contains(why);
    assertThat(answer.code()).isIn(403, 422);
  }

  private static Map<String, Object> object(
      String apiVersion, String kind, Map<String, Object> metadata, Map<String, Object> content) {
    var object = new HashMap<String, Object>(content);
    object.put("apiVersion", apiVersion);
    object.put("kind", kind);
    object.put("metadata", metadata);
    return object;
  }

  /** Metadata of evil's own that the hub takes. */
  private Map<String, Object> metadata(String name, String service) {
    var labels = new HashMap<String, Object>();
    labels.put("multicluster.kubernetes.io/source-cluster", "evil");
    labels.put("multicluster.kubernetes.io/service-name", service);
    labels.put("clusterset.muster.dev/service-namespace", "shop");
    var metadata = new HashMap<String, Object>();
    metadata.put("name", name);
    metadata.put("labels", labels);
    metadata.put("annotations", Map.of("multicluster.kubernetes.io/source-cluster", "evil"));
    metadata.put(
        "ownerReferences",
        List.of(
            Map.of(
                "apiVersion", "clusterset.muster.dev/v1alpha1",
                "kind", "ClusterSetMember",
                "name", "evil",
                "uid", claimUid)));
    return metadata;
  }

  private Map<String, Object> with(Map<String, Object> metadata, String field, Object value) {
    var changed = new HashMap<>(metadata);
    changed.put(field, value);
    return changed;
  }

  private static Map<String, Object> exported(Map<String, Object> metadata, String cluster) {
    return object(
        "clusterset.muster.dev/v1alpha1",
        "ExportedService",
        metadata,
        Map.of(
            "spec",
            Map.of(
                "cluster", cluster,
                "namespace", "shop",
                "name", "db",
                "type", "ClusterSetIP",
                "ports", List.of(Map.of("name", "sql", "protocol", "TCP", "port", 6666)))));
  }

  private static Map<String, Object> address(
      Map<String, Object> metadata, String address, String cluster) {
    return object(
        "clusterset.muster.dev/v1alpha1",
        "ClusterSetIP",
        metadata,
        Map.of(
            "spec",
            Map.of(
                "address",
                address,
                "family",
                address.contains(":") ? "IPv6" : "IPv4",
                "namespace",
                "shop",
                "name",
                "db",
                "cluster",
                cluster)));
  }

  private static Map<String, Object> slice(Map<String, Object> metadata) {
    return object(
        "discovery.k8s.io/v1",
        "EndpointSlice",
        metadata,
        Map.of(
            "addressType", "IPv4",
            "ports", List.of(Map.of("name", "sql", "port", 5432)),
            "endpoints", List.of(Map.of("addresses", List.of("6.6.6.6")))));
  }

  private String only(String kind, String apiVersion) {
    return hub.genericKubernetesResources(apiVersion, kind)
        .inNamespace("clusterset-prod")
        .withLabel("multicluster.kubernetes.io/source-cluster", "victim")
        .withLabel("multicluster.kubernetes.io/service-name", "db")
        .list()
        .getItems()
        .getFirst()
        .getMetadata()
        .getName();
  }

  @Test
  void cannotDeleteOrChangeWhatIsAnothers() {
    var paths =
        Map.of(
            EXPORTS, only("ExportedService", "clusterset.muster.dev/v1alpha1"),
            ADDRESSES, only("ClusterSetIP", "clusterset.muster.dev/v1alpha1"),
            SLICES, only("EndpointSlice", "discovery.k8s.io/v1"));
    var before = ips("db");
    paths.forEach(
        (collection, name) -> {
          var path = collection + "/" + name;
          assertRefused("DELETE", path, null, "The cluster evil cannot ");
          assertRefused("DELETE", path + "?dryRun=All", null, "The cluster evil cannot ");
          assertRefused("DELETE", collection, null, "cannot deletecollection");
          assertRefused("PATCH", path, Map.of("metadata", Map.of()), "cannot patch");
          var live = evil.send("GET", path, "application/json").body();
          assertRefused("PUT", path, live, "The cluster evil cannot ");
          var stolen = new HashMap<>(live);
          stolen.put("metadata", with(metadata(name, "db"), "resourceVersion", version(live)));
          assertRefused("PUT", path, stolen, "The cluster evil cannot ");
        });
    assertThat(ips("db")).isEqualTo(before);
    assertThat(endpoints("db")).contains("10.1.0.1");
  }

  @SuppressWarnings("unchecked")
  private static Object version(Map<String, Object> object) {
    return ((Map<String, Object>) object.get("metadata")).getOrDefault("resourceVersion", "");
  }

  @Test
  void cannotTakeTheNameOfAnExportThatAnotherWillNeed() {
    var victims = only("ExportedService", "clusterset.muster.dev/v1alpha1");
    var later = victims.replace("victim.db", "victim.later");
    assertThat(later).startsWith("victim.later-");
    assertRefused("POST", EXPORTS, exported(metadata(later, "db"), "evil"), "must begin with");
    assertRefused("POST", EXPORTS, exported(metadata(later, "db"), "victim"), "cannot export for");
    for (var name : List.of("evil.a.b", "evil.b.victim.db")) {
      assertRefused("POST", EXPORTS, exported(metadata(name, "db"), "evil"), "name must be");
    }
    export("later");
    await().until(() -> ips("later").size() == 1);
  }

  @Test
  void cannotExportWithLabelsOrOwnersThatAreNotItsOwn() {
    var own = metadata("evil.db-1", "db");
    var foreign =
        Map.of(
            "multicluster.kubernetes.io/source-cluster", "victim",
            "multicluster.kubernetes.io/service-name", "db",
            "clusterset.muster.dev/service-namespace", "shop");
    var twoOwners = new ArrayList<>((List<?>) own.get("ownerReferences"));
    assertThat(twoOwners.size()).isOne();
    var forever = new ArrayList<Object>(twoOwners);
    forever.add(
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "name", "clusterset-services", "uid", "x"));
    var cases = new ArrayList<Map<String, Object>>();
    cases.add(with(own, "labels", foreign));
    cases.add(with(own, "labels", Map.of()));
    cases.add(with(own, "ownerReferences", List.of()));
    cases.add(with(own, "ownerReferences", forever));
    cases.add(with(own, "finalizers", List.of("example.com/forever")));
    for (var metadata : cases) {
      assertRefused("POST", EXPORTS, exported(metadata, "evil"), "denied request");
      assertRefused("POST", SLICES, slice(metadata), "denied request");
      assertRefused(
          "POST",
          ADDRESSES,
          address(with(metadata, "name", "ip-10-249-9-9"), "10.249.9.9", "evil"),
          "denied request");
    }
    assertRefused(
        "POST", EXPORTS, exported(metadata("evil.other-1", "other"), "evil"), "those of the spec");
  }

  @Test
  void cannotAddEndpointsInTheNameOfAnother() {
    var own = metadata("evil.db-2", "db");
    assertRefused(
        "POST",
        SLICES,
        slice(
            with(
                own, "annotations", Map.of("multicluster.kubernetes.io/source-cluster", "victim"))),
        "cannot change the endpoints of another");
    assertRefused(
        "POST", SLICES, slice(with(own, "name", "victim.db-2")), "The name must be evil.");
    assertRefused(
        "POST", SLICES, slice(with(own, "annotations", Map.of())), "cannot change the endpoints");
    assertThat(endpoints("db")).doesNotContain("6.6.6.6");
  }

  @Test
  void cannotTakeAddressesThatAreNotToBeHad() {
    assertRefused(
        "POST", ADDRESSES, address(metadata("ip-6-6-6-6", "db"), "6.6.6.6", "evil"), "ranges");
    assertRefused(
        "POST", ADDRESSES, address(metadata("ip-10-249-0-6", "db"), "10.249.0.7", "evil"), "name");
    assertRefused(
        "POST",
        ADDRESSES,
        address(metadata("ip-10-249-0-8", "db"), "10.249.0.8", "victim"),
        "cannot take an address for");
    assertRefused(
        "POST",
        ADDRESSES,
        address(metadata("ip-10-249-00-8", "db"), "10.249.00.8", "evil"),
        "denied request");
    assertRefused(
        "POST",
        ADDRESSES,
        address(metadata("ip-fd10-249-0-0-0-0-0-9", "db"), "fd10:249:0:0:0:0:0:9", "evil"),
        "ranges");
    var taken = only("ClusterSetIP", "clusterset.muster.dev/v1alpha1");
    var answer =
        evil.send(
            "POST",
            ADDRESSES,
            "application/json",
            "application/json",
            address(metadata(taken, "db"), ips("db").getFirst(), "evil"));
    assertThat(answer.code()).as("the address is the victim's").isEqualTo(409);
  }

  @Test
  void cannotReachWhatElseTheHubKeeps() {
    var core = "/api/v1/namespaces/clusterset-prod";
    var claims = SET + "/clustersetmembers";
    var lease = "/apis/coordination.k8s.io/v1/namespaces/clusterset-prod/leases/victim";
    assertRefused("DELETE", claims + "/victim", null, "cannot delete");
    assertRefused("DELETE", claims, null, "cannot deletecollection");
    assertRefused("PATCH", claims + "/victim/status", Map.of(), "cannot patch");
    assertRefused("PATCH", claims + "/evil", Map.of(), "cannot patch");
    assertRefused(
        "POST",
        claims,
        object(
            "clusterset.muster.dev/v1alpha1",
            "ClusterSetMember",
            Map.of("name", "third"),
            Map.of("spec", Map.of("clusterUid", "x"))),
        "cannot create");
    assertRefused("PATCH", lease, Map.of("spec", Map.of()), "cannot patch");
    assertRefused("DELETE", lease, null, "cannot delete");
    assertRefused(
        "POST",
        core + "/serviceaccounts/victim/token",
        object("authentication.k8s.io/v1", "TokenRequest", Map.of(), Map.of("spec", Map.of())),
        "cannot create");
    assertRefused(
        "POST",
        core + "/configmaps",
        object("v1", "ConfigMap", Map.of("name", "more"), Map.of()),
        "cannot create");
    var settings = core + "/configmaps/clusterset-services";
    assertRefused("PATCH", settings, Map.of("data", Map.of()), "cannot patch");
    assertRefused("DELETE", settings, null, "cannot delete");
    assertRefused("GET", core + "/secrets", null, "cannot list");
    assertRefused("DELETE", core, null, "cannot delete");
    var policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
    assertRefused("GET", policies, null, "cannot list");
    assertRefused(
        "DELETE", policies + "/exportedservices.clusterset.muster.dev", null, "cannot delete");
  }

  /** What it may do: be a member, and nothing of it stays when it is taken out. */
  @Test
  @Order(Integer.MAX_VALUE)
  void mayExportWhatIsItsOwnAndLosesItWithItsClaim() {
    var service = metadata("evil.mine-1", "db");
    var first =
        evil.send(
            "POST", EXPORTS, "application/json", "application/json", exported(service, "evil"));
    assertThat(first.code()).as("%s", first.body()).isEqualTo(201);
    var second =
        evil.send(
            "POST",
            ADDRESSES,
            "application/json",
            "application/json",
            address(metadata("ip-10-249-66-6", "db"), "10.249.66.6", "evil"));
    assertThat(second.code()).as("%s", second.body()).isEqualTo(201);
    var third =
        evil.send(
            "POST",
            SLICES,
            "application/json",
            "application/json",
            slice(metadata("evil.mine-1", "db")));
    assertThat(third.code()).as("%s", third.body()).isEqualTo(201);
    var before = ips("db");
    await()
        .untilAsserted(
            () ->
                assertThat(String.valueOf(imported("db").getAdditionalProperties().get("status")))
                    .contains("ExportedService evil.mine-1: its name is not that"));
    assertThat(ips("db")).isEqualTo(before);
    assertThat(endpoints("db")).containsExactly("10.1.0.1");
    hub.resources(ClusterSetMember.class).inNamespace("clusterset-prod").withName("evil").delete();
    await()
        .untilAsserted(
            () ->
                assertThat(
                        List.of(
                            hub.genericKubernetesResources(
                                "clusterset.muster.dev/v1alpha1", "ExportedService"),
                            hub.genericKubernetesResources(
                                "clusterset.muster.dev/v1alpha1", "ClusterSetIP")))
                    .allSatisfy(
                        kind ->
                            assertThat(kind.inNamespace("clusterset-prod").list().getItems())
                                .noneMatch(
                                    left -> left.getMetadata().getLabels().containsValue("evil"))));
  }
}
