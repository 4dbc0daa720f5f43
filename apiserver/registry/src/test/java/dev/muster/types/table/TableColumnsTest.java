package dev.muster.types.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.types.BuiltIns;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableColumnsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final JsonObject METADATA =
      JsonObject.of("name", "pear", "creationTimestamp", "2026-03-01T11:58:30Z");

  private static String row(String group, String resource, Object... members) {
    return row(BuiltIns.of(group, resource).table(), members);
  }

  private static String row(TableSpec table, Object... members) {
    var object = JsonObject.of(members);
    var metadata = object.has("metadata") ? object.object("metadata") : METADATA;
    return table.cells(object.with("metadata", metadata), NOW).toString();
  }

  private static JsonArray list(JsonObject... objects) {
    return JsonArray.of(List.of(objects));
  }

  @Test
  void resourcesWithoutColumnsShowTheTimeOfCreation() {
    assertThat(row(TableSpec.PLAIN)).isEqualTo("[\"pear\",\"2026-03-01T11:58:30Z\"]");
    assertThat(BuiltIns.of("", "limitranges").table().definitions().object(1))
        .isEqualTo(
            JsonObject.of(
                "name",
                "Created At",
                "type",
                "date",
                "format",
                "",
                "description",
                "When the object was made.",
                "priority",
                0));
  }

  @Test
  void scalesShowWhatIsWantedAndWhatThereIs() {
    assertThat(
            row(
                WorkloadTables.scale(),
                "spec",
                JsonObject.of("replicas", 3),
                "status",
                JsonObject.of("replicas", 2)))
        .isEqualTo("[\"pear\",3,2,\"90s\"]");
  }

  @Test
  void configMapsAndSecretsCountTheirKeys() {
    assertThat(
            row(
                "",
                "configmaps",
                "data",
                JsonObject.of("a", "1"),
                "binaryData",
                JsonObject.of("b", "aGk=")))
        .isEqualTo("[\"pear\",2,\"90s\"]");
    assertThat(row("", "secrets", "type", "Opaque")).isEqualTo("[\"pear\",\"Opaque\",0,\"90s\"]");
  }

  @Test
  void servicesShowTheirAddressesAndPorts() {
    var spec =
        JsonObject.of(
            "type",
            "LoadBalancer",
            "clusterIPs",
            JsonArray.ofStrings(List.of("10.0.0.5", "fd00::5")),
            "externalIPs",
            JsonArray.ofStrings(List.of("192.0.2.9")),
            "ports",
            list(
                JsonObject.of("port", 80, "nodePort", 30080, "protocol", "TCP"),
                JsonObject.of("port", 53, "protocol", "UDP")),
            "selector",
            JsonObject.of("b", "2", "a", "1"));
    var status =
        JsonObject.of(
            "loadBalancer",
            JsonObject.of(
                "ingress",
                list(
                    JsonObject.of("ip", "198.51.100.7"), JsonObject.of("hostname", "lb.example"))));
    assertThat(row("", "services", "spec", spec, "status", status))
        .isEqualTo(
            "[\"pear\",\"LoadBalancer\",\"10.0.0.5\",\"198.51.100.7,lb.example,192.0.2.9\","
                + "\"80:30080/TCP,53/UDP\",\"90s\",\"a=1,b=2\"]");
    assertThat(row("", "services", "spec", JsonObject.of("type", "LoadBalancer")))
        .isEqualTo(
            "[\"pear\",\"LoadBalancer\",\"<none>\",\"<pending>\",\"<none>\",\"90s\",\"<none>\"]");
  }

  @Test
  void endpointsShowThreeAndCountTheRest() {
    var subsets =
        list(
            JsonObject.of(
                "addresses",
                list(JsonObject.of("ip", "10.1.0.1"), JsonObject.of("ip", "fd00::1")),
                "ports",
                list(JsonObject.of("port", 80), JsonObject.of("port", 81))));
    assertThat(row("", "endpoints", "subsets", subsets))
        .isEqualTo("[\"pear\",\"10.1.0.1:80,[fd00::1]:80,10.1.0.1:81 + 1 more...\",\"90s\"]");
    assertThat(row("discovery.k8s.io", "endpointslices", "addressType", "IPv4"))
        .isEqualTo("[\"pear\",\"IPv4\",\"<unset>\",\"<unset>\",\"90s\"]");
  }

  @Test
  void nodesShowRolesAndConditions() {
    var labels = JsonObject.of("node-role.kubernetes.io/worker", "", "kubernetes.io/role", "edge");
    var status =
        JsonObject.of(
            "conditions",
            list(JsonObject.of("type", "Ready", "status", "Unknown")),
            "nodeInfo",
            JsonObject.of(
                "kubeletVersion", "v1.36.0", "kernelVersion", "6.1", "architecture", "arm64"),
            "addresses",
            list(JsonObject.of("type", "InternalIP", "address", "10.2.0.1")));
    assertThat(
            row(
                "",
                "nodes",
                "metadata",
                METADATA.with("labels", labels),
                "spec",
                JsonObject.of("unschedulable", true),
                "status",
                status))
        .isEqualTo(
            "[\"pear\",\"NotReady,SchedulingDisabled\",\"edge,worker\",\"90s\",\"v1.36.0\","
                + "\"10.2.0.1\",\"<none>\",\"<unknown>\",\"6.1 (arm64)\",\"<unknown>\"]");
  }

  @Test
  void volumesAndClaimsAbbreviateTheirModes() {
    var modes = JsonArray.ofStrings(List.of("ReadWriteMany", "ReadWriteOnce"));
    assertThat(
            row(
                "",
                "persistentvolumes",
                "spec",
                JsonObject.of(
                    "capacity",
                    JsonObject.of("storage", "2Gi"),
                    "accessModes",
                    modes,
                    "persistentVolumeReclaimPolicy",
                    "Retain",
                    "claimRef",
                    JsonObject.of("namespace", "n", "name", "c")),
                "status",
                JsonObject.of("phase", "Bound")))
        .isEqualTo(
            "[\"pear\",\"2Gi\",\"RWO,RWX\",\"Retain\",\"Bound\",\"n/c\",\"\",\"<unset>\",\"\","
                + "\"90s\",\"<unset>\"]");
    assertThat(row("", "persistentvolumeclaims", "status", JsonObject.of("phase", "Pending")))
        .isEqualTo("[\"pear\",\"Pending\",\"\",\"\",\"\",\"\",\"<unset>\",\"90s\",\"<unset>\"]");
  }

  @Test
  void quotasListUseAndLimit() {
    var status =
        JsonObject.of(
            "hard",
            JsonObject.of("pods", "4", "limits.cpu", "2", "cpu", "1"),
            "used",
            JsonObject.of("pods", "1"));
    assertThat(row("", "resourcequotas", "status", status))
        .isEqualTo("[\"pear\",\"cpu: 0/1, pods: 1/4\",\"limits.cpu: 0/2\",\"90s\"]");
  }

  @Test
  void eventsTellWhenAndWhat() {
    assertThat(
            row(
                "",
                "events",
                "type",
                "Normal",
                "reason",
                "Ripe",
                "message",
                " it is \n",
                "involvedObject",
                JsonObject.of("kind", "Pod", "name", "p"),
                "eventTime",
                "2026-03-01T11:59:50.000000Z",
                "reportingComponent",
                "gardener",
                "reportingInstance",
                "g1"))
        .isEqualTo(
            "[\"10s\",\"Normal\",\"Ripe\",\"pod/p\",\"\",\"gardener, g1\",\"it is\",\"10s\",1,"
                + "\"pear\"]");
  }

  @Test
  void workloadsShowReadyPodsAndImages() {
    var template =
        JsonObject.of(
            "spec",
            JsonObject.of(
                "containers",
                list(
                    JsonObject.of("name", "a", "image", "i:1"),
                    JsonObject.of("name", "b", "image", "i:2"))));
    var spec =
        JsonObject.of(
            "replicas",
            3,
            "template",
            template,
            "selector",
            JsonObject.of("matchLabels", JsonObject.of("app", "x")));
    var status = JsonObject.of("readyReplicas", 2, "updatedReplicas", 1);
    assertThat(row("apps", "deployments", "spec", spec, "status", status))
        .isEqualTo("[\"pear\",\"2/3\",1,0,\"90s\",\"a,b\",\"i:1,i:2\",\"app=x\"]");
    assertThat(row("apps", "statefulsets", "spec", spec, "status", status))
        .isEqualTo("[\"pear\",\"2/3\",\"90s\",\"a,b\",\"i:1,i:2\"]");
    assertThat(row("apps", "replicasets", "spec", spec))
        .isEqualTo("[\"pear\",3,0,0,\"90s\",\"a,b\",\"i:1,i:2\",\"app=x\"]");
  }

  @Test
  void jobsTellHowFarTheyAre() {
    var status =
        JsonObject.of(
            "succeeded",
            1,
            "startTime",
            "2026-03-01T11:59:00Z",
            "completionTime",
            "2026-03-01T11:59:40Z",
            "conditions",
            list(JsonObject.of("type", "Complete", "status", "True")));
    assertThat(row("batch", "jobs", "spec", JsonObject.of("completions", 1), "status", status))
        .startsWith("[\"pear\",\"Complete\",\"1/1\",\"40s\",\"90s\"");
    assertThat(row("batch", "jobs", "spec", JsonObject.of("parallelism", 3)))
        .startsWith("[\"pear\",\"Running\",\"0/1 of 3\",\"\",\"90s\"");
    assertThat(
            row("batch", "cronjobs", "spec", JsonObject.of("schedule", "@daily", "suspend", false)))
        .startsWith("[\"pear\",\"@daily\",\"<none>\",\"False\",0,\"<none>\",\"90s\"");
  }

  @Test
  void autoscalersCompareMetricsWithTargets() {
    var spec =
        JsonObject.of(
            "scaleTargetRef",
            JsonObject.of("kind", "Deployment", "name", "d"),
            "maxReplicas",
            5,
            "metrics",
            list(
                JsonObject.of(
                    "type",
                    "Resource",
                    "resource",
                    JsonObject.of(
                        "name", "cpu", "target", JsonObject.of("averageUtilization", 60))),
                JsonObject.of(
                    "type",
                    "Pods",
                    "pods",
                    JsonObject.of("target", JsonObject.of("averageValue", "10"))),
                JsonObject.of("type", "Odd")));
    var status =
        JsonObject.of(
            "currentMetrics",
            list(
                JsonObject.of(
                    "type",
                    "Resource",
                    "resource",
                    JsonObject.of("current", JsonObject.of("averageUtilization", 30)))));
    assertThat(row("autoscaling", "horizontalpodautoscalers", "spec", spec, "status", status))
        .isEqualTo(
            "[\"pear\",\"Deployment/d\",\"cpu: 30%/60%, <unknown>/10 + 1 more...\",\"<unset>\",5,0,"
                + "\"90s\"]");
  }

  @Test
  void bindingsListTheirSubjectsByKind() {
    var subjects =
        list(
            JsonObject.of("kind", "User", "name", "u"),
            JsonObject.of("kind", "User", "name", "v"),
            JsonObject.of("kind", "ServiceAccount", "namespace", "n", "name", "s"));
    assertThat(
            row(
                "rbac.authorization.k8s.io",
                "rolebindings",
                "roleRef",
                JsonObject.of("kind", "Role", "name", "r"),
                "subjects",
                subjects))
        .isEqualTo("[\"pear\",\"Role/r\",\"90s\",\"u, v\",\"\",\"n/s\"]");
  }

  @Test
  void addressesHaveACellMoreThanColumns() {
    var parent = JsonObject.of("resource", "services", "namespace", "n", "name", "s");
    assertThat(row("networking.k8s.io", "ipaddresses", "spec", JsonObject.of("parentRef", parent)))
        .isEqualTo("[\"pear\",\"services/n/s\",\"90s\"]");
    assertThat(BuiltIns.of("networking.k8s.io", "ipaddresses").table().columns()).hasSize(2);
  }

  @Test
  void bindingsShowTheirSelectorsAsGoPrintsThem() {
    var selector =
        JsonObject.of(
            "matchLabels",
            JsonObject.of("b", "2", "a", "1"),
            "matchExpressions",
            list(
                JsonObject.of(
                    "key",
                    "k",
                    "operator",
                    "In",
                    "values",
                    JsonArray.ofStrings(List.of("x", "y")))));
    assertThat(
            row(
                "admissionregistration.k8s.io",
                "validatingadmissionpolicybindings",
                "spec",
                JsonObject.of("policyName", "p", "paramRef", JsonObject.of("selector", selector))))
        .isEqualTo(
            "[\"pear\",\"p\",\"&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},"
                + "MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,"
                + "Operator:In,Values:[x y],},},}\",\"90s\"]");
  }
}
