package dev.muster.server.answers;

import static dev.muster.server.answers.AggregatingServer.AUTHORITY;
import static dev.muster.server.answers.AggregatingServer.DAY;
import static dev.muster.server.answers.AggregatingServer.GROUP;
import static dev.muster.server.answers.AggregatingServer.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.CertificateNames;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What everybody can see of API servers behind this one: conditions, discovery, OpenAPI. */
class AggregatedApisTest {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  @TempDir private static Path folder;
  private static AggregatingServer cluster;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    cluster = AggregatingServer.start(folder);
    server = cluster.server();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static JsonObject item(JsonObject document, String list, String... path) {
    return document.array(list).objects().stream()
        .filter(
            item ->
                (path.length == 1 ? item.string(path[0]) : item.object(path[0]).string(path[1]))
                    .equals(GROUP))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  @Test
  void discoveryNamesWhatIsBehind() {
    assertThat(
            server
                .get("/apis/" + GROUP + "/v1")
                .object()
                .array("resources")
                .object(0)
                .string("name"))
        .isEqualTo("stars");
    assertThat(item(server.get("/apis").object(), "groups", "name").object("preferredVersion"))
        .isEqualTo(JsonObject.of("groupVersion", GROUP + "/v1", "version", "v1"));
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              var whole = server.send("GET", "/apis", "", AGGREGATED, new byte[0]).object();
              var version = item(whole, "items", "metadata", "name").array("versions").object(0);
              assertThat(version.string("freshness")).isEqualTo("Current");
              assertThat(version.array("resources").object(0).string("resource"))
                  .isEqualTo("stars");
            });
  }

  @Test
  void ofSeveralVersionsTheHighestPriorityIsPreferred() {
    cluster.apiService("main", GROUP, "v9alpha1", 50, AggregatingServer.bundle(AUTHORITY));
    try {
      var group = server.get("/apis/" + GROUP).object();
      assertThat(group.object("preferredVersion").string("version")).isEqualTo("v9alpha1");
      assertThat(group.array("versions").objects()).hasSize(2);
    } finally {
      server.delete(SERVICES + "/v9alpha1." + GROUP, "");
    }
    assertThat(server.get("/apis/" + GROUP).object().array("versions").objects()).hasSize(1);
  }

  @Test
  void documentsOfTheServerBehindAreListedMergedAndPassedOn() {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              var paths = server.get("/openapi/v3").object().object("paths");
              assertThat(paths.object("apis/" + GROUP + "/v1").string("serverRelativeURL"))
                  .isEqualTo("/openapi/v3/apis/" + GROUP + "/v1?hash=A");
              assertThat(paths.object("apis/apps/v1").string("serverRelativeURL"))
                  .doesNotContain("EVIL");
            });
    assertThat(server.get("/openapi/v3/apis/" + GROUP + "/v1?hash=A").object().string("asked"))
        .isEqualTo("/openapi/v3/apis/" + GROUP + "/v1?hash=A");
    var merged = server.get("/openapi/v2").object();
    assertThat(merged.object("paths").keys())
        .contains("/apis/" + GROUP + "/v1/stars", "/apis/apps/v1/")
        .doesNotContain("/apis/apps/v1/evil");
    assertThat(merged.object("definitions").keys()).contains("Star").doesNotContain("Other");
    assertThat(
            server
                .send(
                    "GET",
                    "/openapi/v2",
                    "",
                    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
                    new byte[0])
                .text())
        .contains("/apis/" + GROUP + "/v1/stars");
  }

  @Test
  void theConditionSaysWhatIsMissing() throws Exception {
    var group = "missing.example.com";
    cluster.apiService("missing", group, "v1", 10, AggregatingServer.bundle(AUTHORITY));
    assertThat(cluster.awaitCondition(group, "ServiceNotFound").string("message"))
        .isEqualTo("service/missing in \"default\" is not present");
    var answer = server.get("/apis/" + group + "/v1/stars");
    assertThat(answer.code()).isEqualTo(503);
    assertThat(answer.text()).isEqualTo("service unavailable\n");
    assertThat(server.get("/apis/" + group).object().string("name")).isEqualTo(group);
    assertThat(server.metric("aggregator_unavailable_apiservice{name=\"v1." + group + "\"}"))
        .isEqualTo(1);
    cluster.service("missing");
    assertThat(cluster.awaitCondition(group, "EndpointsNotFound").string("message"))
        .isEqualTo("cannot find endpointslices for service/missing in \"default\"");
    cluster.created(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"metadata":{"name":"missing","labels":{"kubernetes.io/service-name":"missing"}},
         "addressType":"IPv4","ports":[{"name":"https","port":8443}],
         "endpoints":[{"addresses":["203.0.113.200"],"conditions":{"ready":false}}]}
        """);
    assertThat(cluster.awaitCondition(group, "MissingEndpoints").string("message"))
        .isEqualTo(
            "endpointslices for service/missing in \"default\" have no addresses with port name"
                + " \"https\"");
    try (var late = ExtensionServer.start(group, AggregatingServer.serving("missing"))) {
      cluster.network().at("203.0.113.200", 8443, late.backend());
      server.patch(
          "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/missing",
          RunningServer.MERGE,
          "{\"endpoints\":[{\"addresses\":[\"203.0.113.200\"],\"conditions\":{\"ready\":true}}]}");
      assertThat(cluster.awaitCondition(group, "Passed").string("message"))
          .isEqualTo("all checks passed");
      assertThat(server.get("/apis/" + group + "/v1/stars/x").code()).isEqualTo(200);
      server.delete("/api/v1/namespaces/default/services/missing", "");
      cluster.awaitCondition(group, "ServiceNotFound");
    }
    assertThat(
            server.metric(
                "aggregator_unavailable_apiservice_total{name=\"v1."
                    + group
                    + "\",reason=\"ServiceNotFound\"}"))
        .isEqualTo(1);
  }

  @Test
  void aPortThatTheServiceDoesNotHaveIsNamed() {
    cluster.service("ported");
    cluster.created(
        SERVICES,
        """
        {"metadata":{"name":"v1.ported.example.com"},
         "spec":{"group":"ported.example.com","version":"v1","groupPriorityMinimum":100,
                 "versionPriority":10,"insecureSkipTLSVerify":true,
                 "service":{"namespace":"default","name":"ported","port":444}}}
        """);
    assertThat(cluster.awaitCondition("ported.example.com", "ServicePortError").string("message"))
        .isEqualTo("service/ported in \"default\" is not listening on port 444");
  }

  @Test
  void noGroupStandsBeforeThatOfTheAPIServices() {
    cluster.created(
        SERVICES,
        """
        {"metadata":{"name":"v1.foremost.example.com"},
         "spec":{"group":"foremost.example.com","version":"v1","groupPriorityMinimum":20000,
                 "versionPriority":10,"insecureSkipTLSVerify":true,
                 "service":{"namespace":"default","name":"foremost"}}}
        """);
    var groups = server.get("/apis").object().array("groups");
    assertThat(groups.object(0).string("name")).isEqualTo("apiregistration.k8s.io");
    assertThat(groups.object(1).string("name")).isEqualTo("foremost.example.com");
  }

  @Test
  void aServerWhoseCertificateIsNotBelievedIsToldNothing() throws Exception {
    var other = Authority.create("other", Instant.now(), DAY);
    var expired =
        AUTHORITY.server(
            "ext",
            CertificateNames.of(List.of("expired.default.svc"), List.of()),
            Instant.now().minus(Duration.ofDays(2)),
            DAY);
    try (var wrong =
            ExtensionServer.start("wrong.example.com", AggregatingServer.serving("wrong"));
        var named =
            ExtensionServer.start("named.example.com", AggregatingServer.serving("somebody-else"));
        var late = ExtensionServer.start("expired.example.com", expired)) {
      cluster.register(
          "wrong", "wrong.example.com", wrong.backend(), AggregatingServer.bundle(other));
      cluster.register(
          "named", "named.example.com", named.backend(), AggregatingServer.bundle(AUTHORITY));
      cluster.register(
          "expired", "expired.example.com", late.backend(), AggregatingServer.bundle(AUTHORITY));
      assertThat(
              cluster.awaitCondition("wrong.example.com", "FailedDiscoveryCheck").string("message"))
          .contains("failing or missing response from https://", "signed by unknown authority");
      assertThat(
              cluster.awaitCondition("named.example.com", "FailedDiscoveryCheck").string("message"))
          .contains("x509");
      assertThat(
              cluster
                  .awaitCondition("expired.example.com", "FailedDiscoveryCheck")
                  .string("message"))
          .contains("certificate has expired or is not yet valid");
      assertThat(List.of(wrong, named, late))
          .allSatisfy(each -> assertThat(each.backend().seen()).isEmpty());
    }
  }

  @Test
  void whoeverAnswersIsBelievedWhenThatIsWanted() throws Exception {
    try (var any =
        ExtensionServer.start("any.example.com", AggregatingServer.serving("somebody-else"))) {
      cluster.register("any", "any.example.com", any.backend(), "\"insecureSkipTLSVerify\":true");
      cluster.awaitCondition("any.example.com", "Passed");
      assertThat(server.get("/apis/any.example.com/v1/stars/x").code()).isEqualTo(200);
    }
  }

  @Test
  void aDefinitionDoesNotTakeAGroupFromAServerThatHasIt() throws Exception {
    var group = "taken.example.com";
    try (var first = ExtensionServer.start(group, AggregatingServer.serving("taken"))) {
      cluster.register("taken", group, first.backend(), AggregatingServer.bundle(AUTHORITY));
      cluster.awaitCondition(group, "Passed");
      cluster.created(
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
          """
          {"metadata":{"name":"stars.%1$s"},
           "spec":{"group":"%1$s","scope":"Cluster","names":{"plural":"stars","kind":"Star"},
             "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
          """
              .formatted(group));
      assertThat(server.get("/apis/" + group + "/v1/stars/x").object().has("line")).isTrue();
      server.delete(SERVICES + "/v1." + group, "");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> server.get("/apis/" + group + "/v1/stars/x").code() == 404);
    }
  }

  @Test
  void whatIsDefinedHereCannotBeSentElsewhereInItsOwnAPIService() {
    var group = "kept.example.com";
    cluster.created(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        """
        {"metadata":{"name":"stars.%1$s"},
         "spec":{"group":"%1$s","scope":"Cluster","names":{"plural":"stars","kind":"Star"},
           "versions":[{"name":"v1","served":true,"storage":true,
             "schema":{"openAPIV3Schema":{"type":"object"}}}]}}
        """
            .formatted(group));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.get(SERVICES + "/v1." + group).code() == 200);
    server.patch(
        SERVICES + "/v1." + group,
        RunningServer.MERGE,
        "{\"spec\":{\"insecureSkipTLSVerify\":true,"
            + "\"service\":{\"namespace\":\"default\",\"name\":\"main\"}}}");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                server.get(SERVICES + "/v1." + group).code() == 200
                    && !server
                        .get(SERVICES + "/v1." + group)
                        .object()
                        .object("spec")
                        .has("service"));
    assertThat(server.get("/apis/" + group + "/v1/stars").code()).isEqualTo(200);
  }
}
