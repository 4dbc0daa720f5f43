package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.KubectlTest;
import java.nio.file.Path;

/** What is used when something is wrong: debugging, draining, and what needs a node. */
class TroubleTest extends KubectlTests {
  private static String node(Session kubectl) {
    var node = "node-" + kubectl.namespace();
    kubectl.runWith(
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"status":{
          "addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
          "daemonEndpoints":{"kubeletEndpoint":{"Port":1}}}}
        """
            .formatted(node),
        "create",
        "-f",
        "-");
    return node;
  }

  private static void runsOn(Session kubectl, String node) {
    kubectl.runWith(
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","labels":{"app":"p"}},
         "spec":{"nodeName":"%s","containers":[{"name":"c","image":"nginx"}]}}
        """
            .formatted(node),
        "create",
        "-f",
        "-");
    kubectl.run(
        "patch",
        "pod",
        "p",
        "--subresource=status",
        "-p",
        "{\"status\":{\"phase\":\"Running\","
            + "\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
  }

  @KubectlTest(from = "1.24", newest = true)
  void saysThatTheNodeCannotBeReached(Path program) {
    var kubectl = session(program);
    var node = node(kubectl);
    runsOn(kubectl, node);
    var refused = "dial tcp 127.0.0.1:1: connect: connection refused";
    assertThat(kubectl.fail("logs", "p")).contains("containerLogs", refused);
    var request = "Internal error occurred: error sending request: Post \"https://127.0.0.1:1/";
    assertThat(kubectl.fail("exec", "p", "--", "ls")).contains(request + "exec/", refused);
    assertThat(kubectl.fail("attach", "p")).contains(request + "attach/", refused);
    assertThat(kubectl.fail("port-forward", "p", ":80")).contains(refused);
    assertThat(kubectl.fail("top", "pods")).contains("Metrics API not available");
    kubectl.run("delete", "node", node);
  }

  @KubectlTest(from = "1.24", newest = true)
  void drainsWithinTheBudget(Path program) {
    var kubectl = session(program);
    var node = node(kubectl);
    runsOn(kubectl, node);
    kubectl.run("create", "poddisruptionbudget", "b", "--selector=app=p", "--min-available=1");
    kubectl.run(
        "patch",
        "poddisruptionbudget",
        "b",
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"observedGeneration\":1,\"disruptionsAllowed\":0,\"currentHealthy\":1,"
            + "\"desiredHealthy\":1,\"expectedPods\":1}}");
    assertThat(kubectl.fail("drain", node)).contains("use --force to override");
    assertThat(kubectl.fail("drain", node, "--force", "--timeout=1s"))
        .contains("Cannot evict pod as it would violate the pod's disruption budget");
    assertThat(kubectl.stored("pod/p", "{.metadata.deletionTimestamp}")).isEmpty();
    assertThat(kubectl.run("drain", node, "--force", "--disable-eviction", "--grace-period=0"))
        .endsWith("node/" + node + " drained\n");
    assertThat(kubectl.fail("get", "pod", "p")).contains("(NotFound)");
    kubectl.run("delete", "node", node);
  }

  @KubectlTest(from = "1.24", newest = true)
  void debugsPodsAndNodes(Path program) {
    var kubectl = session(program);
    var node = node(kubectl);
    runsOn(kubectl, node);
    kubectl.run("debug", "p", "--image=busybox", "-c", "look", "--target=c", "--attach=false");
    assertThat(kubectl.stored("pod/p", "{.spec.ephemeralContainers[*].name}")).isEqualTo("look");
    kubectl.run("debug", "p", "--copy-to=q", "--set-image=*=busybox", "--attach=false");
    assertThat(kubectl.stored("pod/q", "{.spec.containers[0].image}")).isEqualTo("busybox");
    kubectl.run("debug", "node/" + node, "--image=busybox", "--attach=false");
    assertThat(kubectl.run("get", "pods", "-o", "name")).contains("pod/node-debugger-" + node);
    kubectl.run("delete", "node", node);
  }

  /** The answer names what is not to be changed, not only what may be. */
  @KubectlTest(newest = true)
  void saysWhatMayNotChange(Path program) {
    var kubectl = session(program);
    kubectl.run("run", "p", "--image=nginx");
    assertThat(kubectl.fail("set", "env", "pod/p", "A=b"))
        .contains(
            "pod updates may not change fields other than",
            "\n+ containers[0].env: [{\"name\":\"A\",\"value\":\"b\"}]");
  }

  @KubectlTest(newest = true)
  void listsAllPathsAtTheRoot(Path program) {
    assertThat(session(program).run("get", "--raw", "/"))
        .contains("\"/api/v1\"", "\"/apis/apps/v1\"", "\"/livez/ping\"", "\"/openapi/v3\"");
  }
}
