package dev.muster.controllers.endpoints;

import static dev.muster.controllers.Yaml.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndpointsPlanTest {
  private static final Optional<Instant> TIME = Optional.of(Instant.parse("2026-01-01T00:00:00Z"));
  private static final String SERVICE =
      """
      metadata: {name: web, namespace: shop, uid: u-web, labels: {app: web}}
      spec:
        clusterIP: 10.0.0.1
        ipFamilies: [IPv4]
        selector: {app: web}
        ports:
        - {name: http, port: 80, targetPort: 8080, protocol: TCP}
        - {name: debug, port: 81, targetPort: debug, protocol: TCP}
      """;

  private static JsonObject pod(int number, String ready, String ports) {
    return object(
        """
        metadata: {name: p%1$d, namespace: shop, uid: u%1$d, labels: {app: web}}
        spec: {nodeName: n, hostname: h%1$d, subdomain: web, containers: [{ports: [%5$s]}]}
        status:
          phase: Running
          podIPs: [{ip: 10.1.%2$d.%3$d}]
          conditions: [{type: Ready, status: '%4$s'}]
        """
            .formatted(number, number / 256, number % 256, ready, ports));
  }

  @Test
  void portsWithTheSameAddressesAreTogether() {
    var debug = "{name: debug, containerPort: 9}";
    var endpoints =
        EndpointsPlan.next(
                object(SERVICE),
                List.of(pod(1, "True", debug), pod(2, "False", debug), pod(3, "True", "")),
                null,
                TIME)
            .orElseThrow();
    assertThat(endpoints)
        .isEqualTo(
            object(
                """
                apiVersion: v1
                kind: Endpoints
                metadata:
                  name: web
                  namespace: shop
                  labels: {app: web, endpoints.kubernetes.io/managed-by: endpoint-controller}
                  annotations:
                    endpoints.kubernetes.io/last-change-trigger-time: '2026-01-01T00:00:00Z'
                subsets:
                - addresses:
                  - {ip: 10.1.0.1, hostname: h1, nodeName: n,
                     targetRef: {kind: Pod, namespace: shop, name: p1, uid: u1}}
                  notReadyAddresses:
                  - {ip: 10.1.0.2, hostname: h2, nodeName: n,
                     targetRef: {kind: Pod, namespace: shop, name: p2, uid: u2}}
                  ports: [{name: debug, port: 9, protocol: TCP}]
                - addresses:
                  - {ip: 10.1.0.1, hostname: h1, nodeName: n,
                     targetRef: {kind: Pod, namespace: shop, name: p1, uid: u1}}
                  - {ip: 10.1.0.3, hostname: h3, nodeName: n,
                     targetRef: {kind: Pod, namespace: shop, name: p3, uid: u3}}
                  notReadyAddresses:
                  - {ip: 10.1.0.2, hostname: h2, nodeName: n,
                     targetRef: {kind: Pod, namespace: shop, name: p2, uid: u2}}
                  ports: [{name: http, port: 8080, protocol: TCP}]
                """));
  }

  @Test
  void whatIsRightIsNotWrittenWhoeverWroteIt() {
    var pods = List.of(pod(1, "True", ""), pod(2, "True", ""));
    var endpoints = EndpointsPlan.next(object(SERVICE), pods, null, TIME).orElseThrow();
    assertThat(EndpointsPlan.next(object(SERVICE), pods, endpoints, Optional.empty())).isEmpty();
    assertThat(EndpointsPlan.next(object(SERVICE), List.of(), endpoints, TIME)).isPresent();
  }

  @Test
  void noMoreThanAThousandAddressesAndTheReadyOnesFirst() {
    var pods = new ArrayList<JsonObject>();
    for (int i = 0; i < 1500; i++) {
      pods.add(pod(i, i < 900 ? "True" : "False", ""));
    }
    var endpoints = EndpointsPlan.next(object(SERVICE), pods, null, TIME).orElseThrow();
    var subset = endpoints.array("subsets").object(0);
    assertThat(subset.array("addresses").size()).isEqualTo(900);
    assertThat(subset.array("notReadyAddresses").size()).isEqualTo(100);
    assertThat(endpoints.object("metadata").object("annotations").strings())
        .containsEntry("endpoints.kubernetes.io/over-capacity", "truncated");
    assertThat(EndpointsPlan.next(object(SERVICE), pods, endpoints, TIME)).isEmpty();
  }

  @Test
  void mirroredSlicesSayWhatTheEndpointsSay() {
    var endpoints =
        object(
            """
            metadata:
              name: ext
              namespace: shop
              uid: u-ext
              labels: {app: ext}
              annotations: {note: a, kubectl.kubernetes.io/last-applied-configuration: x}
            subsets:
            - addresses: [{ip: 192.0.2.1}, {ip: 'fd00::1'}, {ip: nonsense}]
              notReadyAddresses: [{ip: 192.0.2.2}]
              ports: [{name: http, port: 80, protocol: TCP}]
            """);
    var plan = new MirrorPlan(endpoints, 1000);
    var changes = plan.changes(List.of());
    assertThat(plan.invalid()).isEqualTo(1);
    assertThat(changes.create()).hasSize(2);
    var first = changes.create().getFirst();
    assertThat(first.object("metadata").object("labels").strings())
        .containsEntry("kubernetes.io/service-name", "ext")
        .containsEntry("app", "ext")
        .containsEntry(
            "endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io");
    assertThat(first.object("metadata").object("annotations")).isEqualTo(object("note: a"));
    assertThat(first.array("endpoints").objects().stream().map(JsonObject::toString).toList())
        .containsExactly(
            "{\"addresses\":[\"192.0.2.1\"],\"conditions\":{\"ready\":true}}",
            "{\"addresses\":[\"192.0.2.2\"],\"conditions\":{\"ready\":false}}");
    var stored = first.with("metadata", first.object("metadata").with("name", "s"));
    var again = new MirrorPlan(endpoints, 1000).changes(List.of(stored));
    assertThat(again.update()).isEmpty();
    assertThat(again.delete()).isEmpty();
    assertThat(again.create()).hasSize(1);
  }

  @Test
  void ofTooManyAddressesTheFirstAreMirrored() {
    var endpoints =
        object(
            "{metadata: {name: e, namespace: s, uid: u},"
                + " subsets: [{addresses: [{ip: 192.0.2.1}, {ip: 192.0.2.2}, {ip: 192.0.2.3}]}]}");
    var plan = new MirrorPlan(endpoints, 2);
    assertThat(plan.changes(List.of()).create().getFirst().array("endpoints").size()).isEqualTo(2);
    assertThat(plan.skipped()).isEqualTo(1);
  }
}
