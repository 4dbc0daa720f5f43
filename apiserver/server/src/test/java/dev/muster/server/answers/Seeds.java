package dev.muster.server.answers;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Objects that are fine, to start from. */
final class Seeds {
  private static final String TEMPLATE =
      """
      {"metadata":{"labels":{"app":"a"}},"spec":{"volumes":[{"name":"v","emptyDir":{}},
        {"name":"w","configMap":{"name":"c","items":[{"key":"k","path":"p"}]}}],
        "containers":[{"name":"c","image":"i:1","ports":[{"containerPort":80,"name":"http"}],
          "env":[{"name":"A","value":"1"},{"name":"B","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}}],
          "resources":{"requests":{"cpu":"100m"},"limits":{"cpu":"1","memory":"1Gi"}},
          "volumeMounts":[{"name":"v","mountPath":"/v"}],
          "livenessProbe":{"httpGet":{"path":"/","port":"http"},"periodSeconds":5}}],
        "affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
          {"labelSelector":{"matchLabels":{"app":"a"}},"topologyKey":"zone"}]}},
        "tolerations":[{"key":"k","operator":"Exists"}],"securityContext":{"runAsUser":1}%s}}
      """;

  /**
   * @param collection where it is created, with the namespace as {@code {ns}}
   */
  record Seed(String collection, JsonObject object) {}

  private Seeds() {}

  static List<Seed> all() {
    var template = TEMPLATE.formatted("");
    var oneShot = TEMPLATE.formatted(",\"restartPolicy\":\"Never\"");
    var selector = "\"selector\":{\"matchLabels\":{\"app\":\"a\"}}";
    return List.of(
        seed("/api/v1/namespaces/{ns}/configmaps", "\"data\":{\"a\":\"1\"}"),
        seed("/api/v1/namespaces/{ns}/secrets", "\"type\":\"Opaque\",\"data\":{\"a\":\"MQ==\"}"),
        seed(
            "/api/v1/namespaces/{ns}/services",
            "\"spec\":{\"ports\":[{\"name\":\"a\",\"port\":80},{\"name\":\"b\",\"port\":81,"
                + "\"targetPort\":\"x\"}],\"selector\":{\"a\":\"b\"}}"),
        seed(
            "/api/v1/namespaces/{ns}/endpoints",
            "\"subsets\":[{\"addresses\":[{\"ip\":\"10.1.1.1\"}],\"ports\":[{\"port\":80}]}]"),
        seed("/api/v1/namespaces/{ns}/serviceaccounts", "\"secrets\":[{\"name\":\"s\"}]"),
        seed(
            "/api/v1/namespaces/{ns}/pods",
            template.strip().replaceFirst("^\\{.*?\"spec\"", "\"spec\"").replaceFirst("}$", "")),
        seed("/api/v1/namespaces/{ns}/podtemplates", "\"template\":" + template),
        seed(
            "/api/v1/namespaces/{ns}/replicationcontrollers",
            "\"spec\":{\"selector\":{\"app\":\"a\"},\"template\":" + template + "}"),
        seed(
            "/apis/apps/v1/namespaces/{ns}/deployments",
            "\"spec\":{" + selector + ",\"template\":" + template + "}"),
        seed(
            "/apis/apps/v1/namespaces/{ns}/replicasets",
            "\"spec\":{" + selector + ",\"template\":" + template + "}"),
        seed(
            "/apis/apps/v1/namespaces/{ns}/daemonsets",
            "\"spec\":{" + selector + ",\"template\":" + template + "}"),
        seed(
            "/apis/apps/v1/namespaces/{ns}/statefulsets",
            "\"spec\":{\"serviceName\":\"s\"," + selector + ",\"template\":" + template + "}"),
        seed("/apis/batch/v1/namespaces/{ns}/jobs", "\"spec\":{\"template\":" + oneShot + "}"),
        seed(
            "/apis/batch/v1/namespaces/{ns}/cronjobs",
            "\"spec\":{\"schedule\":\"0 0 * * *\",\"jobTemplate\":{\"spec\":{\"template\":"
                + oneShot
                + "}}}"),
        seed(
            "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
            "\"spec\":{\"maxReplicas\":3,\"scaleTargetRef\":{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"name\":\"d\"},"
                + "\"metrics\":[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"target\":{"
                + "\"type\":\"Utilization\",\"averageUtilization\":50}}}]}"),
        seed(
            "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
            "\"spec\":{\"minAvailable\":1," + selector + "}"),
        seed(
            "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
            "\"spec\":{\"rules\":[{\"host\":\"a.example.com\",\"http\":{\"paths\":[{\"path\":\"/\","
                + "\"pathType\":\"Prefix\",\"backend\":{\"service\":{\"name\":\"s\",\"port\":{"
                + "\"number\":80}}}}]}}]}"),
        seed(
            "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies",
            "\"spec\":{\"podSelector\":{},\"ingress\":[{\"from\":[{\"ipBlock\":{\"cidr\":"
                + "\"10.0.0.0/8\"}}],\"ports\":[{\"port\":80}]}]}"),
        seed(
            "/api/v1/namespaces/{ns}/persistentvolumeclaims",
            "\"spec\":{\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{"
                + "\"storage\":\"1Gi\"}}}"),
        seed(
            "/api/v1/persistentvolumes",
            "\"spec\":{\"capacity\":{\"storage\":\"1Gi\"},\"accessModes\":[\"ReadWriteOnce\"],"
                + "\"hostPath\":{\"path\":\"/x\"}}"),
        seed("/api/v1/nodes", "\"spec\":{\"taints\":[{\"key\":\"k\",\"effect\":\"NoSchedule\"}]}"),
        seed(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles",
            "\"rules\":[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\"]}]"),
        seed(
            "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
            "\"addressType\":\"IPv4\",\"endpoints\":[{\"addresses\":[\"10.1.1.1\"]}],\"ports\":[{"
                + "\"port\":80}]"),
        seed(
            "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
            "\"spec\":{\"holderIdentity\":\"me\",\"leaseDurationSeconds\":5}"),
        seed("/apis/storage.k8s.io/v1/storageclasses", "\"provisioner\":\"example.com/x\""),
        seed("/apis/scheduling.k8s.io/v1/priorityclasses", "\"value\":5"));
  }

  private static Seed seed(String collection, String members) {
    var text = "{\"metadata\":{\"name\":\"seed\",\"labels\":{\"a\":\"b\"}}," + members + "}";
    return new Seed(
        collection, (JsonObject) JsonReader.read(text.getBytes(StandardCharsets.UTF_8)));
  }
}
