package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.KubectlTest;
import java.nio.file.Path;
import java.util.List;

/** Rollouts, waiting, nodes, and explanations. */
class OperationsTest extends KubectlTests {
  /** A replica set as the deployment's controller makes one for each revision. */
  private static String revision(String number, String owner) {
    return """
    {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"d-%1$s",
      "labels":{"app":"d","pod-template-hash":"h%1$s"},
      "annotations":{"deployment.kubernetes.io/revision":"%1$s",
        "kubernetes.io/change-cause":"cause %1$s"},
      "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"%2$s",
        "controller":true}]},
     "spec":{"replicas":0,"selector":{"matchLabels":{"app":"d","pod-template-hash":"h%1$s"}},
      "template":{"metadata":{"labels":{"app":"d","pod-template-hash":"h%1$s"}},
        "spec":{"containers":[{"name":"nginx","image":"nginx:%1$s"}]}}}}
    """
        .formatted(number, owner);
  }

  @KubectlTest
  void rollsBack(Path program) {
    var kubectl = session(program);
    kubectl.run("create", "deployment", "d", "--image=nginx:2");
    var uid = kubectl.stored("deployment/d", "{.metadata.uid}");
    for (var revision : List.of("1", "2")) {
      kubectl.runWith(revision(revision, uid), "create", "-f", "-");
    }
    assertThat(kubectl.run("rollout", "history", "deployment", "d").lines())
        .startsWith("deployment.apps/d ")
        .contains("1         cause 1", "2         cause 2");
    assertThat(kubectl.run("rollout", "history", "deployment", "d", "--revision=1"))
        .contains("nginx:1");
    assertThat(kubectl.run("rollout", "undo", "deployment", "d", "--to-revision=1"))
        .isEqualTo("deployment.apps/d rolled back\n");
    assertThat(kubectl.stored("deployment/d", "{.spec.template.spec.containers[0].image}"))
        .isEqualTo("nginx:1");
    assertThat(kubectl.run("rollout", "pause", "deployment", "d"))
        .isEqualTo("deployment.apps/d paused\n");
    assertThat(kubectl.fail("rollout", "restart", "deployment", "d")).contains("paused");
    assertThat(kubectl.run("rollout", "resume", "deployment", "d"))
        .isEqualTo("deployment.apps/d resumed\n");
    assertThat(kubectl.run("rollout", "restart", "deployment", "d"))
        .isEqualTo("deployment.apps/d restarted\n");
  }

  @KubectlTest(from = "1.24")
  void seesARolloutEnd(Path program) {
    var kubectl = session(program);
    kubectl.run("create", "deployment", "d", "--image=nginx:1", "--replicas=2");
    assertThat(kubectl.fail("rollout", "status", "deployment", "d", "--timeout=1s"))
        .contains("Waiting for deployment spec update to be observed...");
    kubectl.run(
        "patch",
        "deployment",
        "d",
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"observedGeneration\":1,\"replicas\":2,\"updatedReplicas\":2,"
            + "\"readyReplicas\":2,\"availableReplicas\":2}}");
    assertThat(kubectl.run("rollout", "status", "deployment", "d"))
        .isEqualTo("deployment \"d\" successfully rolled out\n");
    assertThat(kubectl.run("get", "deployment", "d", "--no-headers"))
        .matches("d +2/2 +2 +2 +\\S+\n");
  }

  @KubectlTest(from = "1.24")
  void waitsForConditionsValuesAndDeletion(Path program) {
    var kubectl = session(program);
    kubectl.run("run", "p", "--image=nginx");
    assertThat(kubectl.fail("wait", "--for=condition=Ready", "pod/p", "--timeout=1s"))
        .contains("timed out waiting for the condition on pods/p");
    kubectl.run(
        "patch",
        "pod",
        "p",
        "--subresource=status",
        "-p",
        "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    assertThat(kubectl.run("wait", "--for=condition=Ready", "pod/p", "--timeout=10s"))
        .isEqualTo("pod/p condition met\n");
    assertThat(kubectl.run("wait", "--for=jsonpath={.spec.containers[0].image}=nginx", "pod/p"))
        .isEqualTo("pod/p condition met\n");
    kubectl.run("delete", "pod", "p", "--wait=false", "--now");
    kubectl.run("wait", "--for=delete", "pod/p", "--timeout=10s");
    assertThat(kubectl.fail("get", "pod", "p")).contains("pods \"p\" not found");
  }

  @KubectlTest
  void taintsCordonsAndDrains(Path program) {
    var kubectl = session(program);
    var node = "node-" + kubectl.namespace();
    kubectl.runWith(
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}".formatted(node),
        "create",
        "-f",
        "-");
    assertThat(kubectl.run("taint", "node", node, "k=v:NoSchedule"))
        .isEqualTo("node/" + node + " tainted\n");
    assertThat(kubectl.fail("taint", "node", node, "k=w:NoSchedule"))
        .contains("already has k taint(s) with same effect(s) and --overwrite is false");
    assertThat(kubectl.run("taint", "node", node, "k=w:NoSchedule", "--overwrite"))
        .isEqualTo("node/" + node + " modified\n");
    assertThat(kubectl.stored("node/" + node, "{.spec.taints[?(@.key==\"k\")].value}"))
        .isEqualTo("w");
    assertThat(kubectl.run("taint", "node", node, "k-")).isEqualTo("node/" + node + " untainted\n");
    assertThat(kubectl.run("cordon", node)).isEqualTo("node/" + node + " cordoned\n");
    assertThat(kubectl.run("cordon", node)).isEqualTo("node/" + node + " already cordoned\n");
    assertThat(kubectl.stored("node/" + node, "{.spec.unschedulable}")).isEqualTo("true");
    assertThat(kubectl.run("uncordon", node)).isEqualTo("node/" + node + " uncordoned\n");
    assertThat(kubectl.run("drain", node, "--timeout=10s")).endsWith("node/" + node + " drained\n");
    kubectl.run("delete", "node", node);
  }

  @KubectlTest
  void explainsEveryResource(Path program) {
    var kubectl = session(program);
    var resources = kubectl.run("api-resources", "--no-headers").lines().toList();
    assertThat(resources).hasSizeGreaterThan(50);
    for (var resource : resources) {
      var columns = resource.strip().split(" +");
      var version = columns[columns.length - 3];
      var kind = columns[columns.length - 1];
      assertThat(kubectl.run("explain", columns[0], "--recursive", "--api-version=" + version))
          .as(resource)
          .containsPattern("KIND: +" + kind)
          .contains("FIELDS:", "apiVersion", "metadata");
    }
  }

  /** By the newer of the schemas that the server publishes. */
  @KubectlTest(from = "1.27")
  void explainsFields(Path program) {
    var kubectl = session(program);
    assertThat(kubectl.run("explain", "pod.spec.containers.livenessProbe.httpGet.port"))
        .contains("port <IntOrString>", "Name or number of the port to access on the container");
    assertThat(kubectl.fail("explain", "pod.spec.nonsense"))
        .contains("field \"nonsense\" does not exist");
  }

  @KubectlTest(from = "1.25")
  void refusesUnknownFields(Path program) {
    var kubectl = session(program);
    var map =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"m\"},\"dta\":{}}";
    assertThat(kubectl.failWith(map, "create", "--validate=strict", "-f", "-"))
        .contains("unknown field", "dta");
    assertThat(kubectl.runWith(map, "create", "--validate=ignore", "-f", "-"))
        .isEqualTo("configmap/m created\n");
  }
}
