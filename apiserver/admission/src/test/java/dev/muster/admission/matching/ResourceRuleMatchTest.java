package dev.muster.admission.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResourceRuleMatchTest {
  private static final GroupVersionResource PODS = new GroupVersionResource("", "v1", "pods");
  private static final GroupVersionResource NAMESPACES =
      new GroupVersionResource("", "v1", "namespaces");
  private static final GroupVersionResource NODES = new GroupVersionResource("", "v1", "nodes");

  private static ResourceRuleMatch rule(String resources, String more) {
    var text =
        "{'apiGroups':[''],'apiVersions':['v1'],'operations':['CREATE','CONNECT'],'resources':['"
            + resources
            + "']"
            + more
            + "}";
    return ResourceRuleMatch.of(
        (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private static boolean isFor(
      ResourceRuleMatch rule, GroupVersionResource resource, String subresource, String namespace) {
    return rule.matches(AdmissionOperation.CREATE, resource, subresource, namespace, "p");
  }

  @Test
  void aResourceIsNotItsSubresource() {
    assertThat(isFor(rule("pods", ""), PODS, "", "a")).isTrue();
    assertThat(isFor(rule("pods", ""), PODS, "status", "a")).isFalse();
    assertThat(isFor(rule("pods/status", ""), PODS, "status", "a")).isTrue();
    assertThat(isFor(rule("pods/status", ""), PODS, "", "a")).isFalse();
  }

  @Test
  void starsStandForOnePart() {
    assertThat(isFor(rule("*", ""), PODS, "", "a")).isTrue();
    assertThat(isFor(rule("*", ""), PODS, "status", "a")).isFalse();
    assertThat(isFor(rule("*/*", ""), PODS, "status", "a")).isTrue();
    assertThat(isFor(rule("pods/*", ""), PODS, "exec", "a")).isTrue();
    assertThat(isFor(rule("*/scale", ""), PODS, "exec", "a")).isFalse();
  }

  @Test
  void aNamespaceIsOfTheCluster() {
    var cluster = rule("*", ",'scope':'Cluster'");
    var namespaced = rule("*", ",'scope':'Namespaced'");
    assertThat(isFor(cluster, NAMESPACES, "", "a")).isTrue();
    assertThat(isFor(namespaced, NAMESPACES, "", "a")).isFalse();
    assertThat(isFor(cluster, NODES, "", "")).isTrue();
    assertThat(isFor(cluster, PODS, "", "a")).isFalse();
    assertThat(isFor(namespaced, PODS, "", "a")).isTrue();
  }

  @Test
  void everyPartMustFit() {
    var rule = rule("pods", "");
    assertThat(rule.matches(AdmissionOperation.DELETE, PODS, "", "a", "p")).isFalse();
    assertThat(isFor(rule, new GroupVersionResource("", "v2", "pods"), "", "a")).isFalse();
    assertThat(isFor(rule, new GroupVersionResource("x", "v1", "pods"), "", "a")).isFalse();
    assertThat(isFor(rule("pods", ",'resourceNames':['q']"), PODS, "", "a")).isFalse();
    assertThat(isFor(rule("pods", ",'resourceNames':['q','p']"), PODS, "", "a")).isTrue();
  }
}
