package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.KubectlTest;
import java.nio.file.Path;

/** Apply in all its ways, diff, edit, replace, patch, set, label, annotate. */
class ChangesTest extends KubectlTests {
  private static final String MAP =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: %s, labels: {set: one}}
      data: {a: "%s", b: "2"}
      """;

  @KubectlTest
  void appliesOnTheClientsSide(Path program) {
    var kubectl = session(program);
    var map = MAP.formatted("m", "1");
    assertThat(kubectl.runWith(map, "apply", "-f", "-")).isEqualTo("configmap/m created\n");
    assertThat(kubectl.runWith(map, "apply", "-f", "-")).isEqualTo("configmap/m unchanged\n");
    var changed = MAP.formatted("m", "9").replace(", b: \"2\"", "");
    assertThat(kubectl.runWith(changed, "apply", "-f", "-")).isEqualTo("configmap/m configured\n");
    assertThat(kubectl.stored("configmap/m", "{.data}")).isEqualTo("{\"a\":\"9\"}");
    assertThat(kubectl.run("apply", "view-last-applied", "configmap/m")).contains("a: \"9\"");
    assertThat(kubectl.runWith(changed, "apply", "set-last-applied", "-f", "-"))
        .startsWith("configmap/m ");
  }

  @KubectlTest(from = "1.21")
  void appliesOnTheServersSide(Path program) {
    var kubectl = session(program);
    var one = MAP.formatted("m", "1");
    var two = MAP.formatted("m", "2");
    assertThat(kubectl.runWith(one, "apply", "--server-side", "-f", "-"))
        .isEqualTo("configmap/m serverside-applied\n");
    assertThat(kubectl.failWith(two, "apply", "--server-side", "--field-manager=other", "-f", "-"))
        .contains("Apply failed with 1 conflict: conflict with \"kubectl\": .data.a");
    assertThat(
            kubectl.runWith(
                two,
                "apply",
                "--server-side",
                "--field-manager=other",
                "--force-conflicts",
                "-f",
                "-"))
        .isEqualTo("configmap/m serverside-applied\n");
    assertThat(kubectl.stored("configmap/m", "{.data.a}")).isEqualTo("2");
    assertThat(
            kubectl.run(
                "get",
                "configmap/m",
                "--show-managed-fields",
                "-o",
                "jsonpath={.metadata.managedFields[?(@.manager==\"kubectl\")].fieldsV1}"))
        .contains("f:b")
        .doesNotContain("f:a");
  }

  /** Older versions do not find in a new schema that dry runs are possible. */
  @KubectlTest(from = "1.27")
  void showsDifferences(Path program) {
    var kubectl = session(program);
    var map = MAP.formatted("m", "1");
    kubectl.runWith(map, "apply", "-f", "-");
    var version = kubectl.stored("configmap/m", "{.metadata.resourceVersion}");
    assertThat(kubectl.runWith(map, "diff", "-f", "-")).isEmpty();
    var changed = MAP.formatted("m", "9").replace(", b: \"2\"", "");
    assertThat(kubectl.failWith(changed, "diff", "-f", "-"))
        .contains("-  a: \"1\"\n", "-  b: \"2\"\n", "+  a: \"9\"\n");
    assertThat(kubectl.failWith(changed, "diff", "--server-side", "--force-conflicts", "-f", "-"))
        .contains("-  a: \"1\"\n", "+  a: \"9\"\n");
    assertThat(kubectl.stored("configmap/m", "{.metadata.resourceVersion}")).isEqualTo(version);
  }

  /** What was applied on the client's side goes on belonging to kubectl. */
  @KubectlTest(from = "1.26")
  void movesFromTheClientsSideToTheServers(Path program) {
    var kubectl = session(program);
    kubectl.runWith(MAP.formatted("m", "1"), "apply", "-f", "-");
    var changed = MAP.formatted("m", "3").replace(", b: \"2\"", "");
    assertThat(kubectl.runWith(changed, "apply", "--server-side", "-f", "-"))
        .isEqualTo("configmap/m serverside-applied\n");
    assertThat(kubectl.stored("configmap/m", "{.data}")).isEqualTo("{\"a\":\"3\"}");
  }

  @KubectlTest(from = "1.26")
  void prunesWhatIsNotAppliedAnyMore(Path program) {
    var kubectl = session(program);
    kubectl.runWith(MAP.formatted("old", "1"), "apply", "-f", "-");
    kubectl.run("create", "configmap", "unmanaged");
    kubectl.run("label", "configmap", "unmanaged", "set=one");
    assertThat(
            kubectl.runWith(
                MAP.formatted("new", "1"),
                "apply",
                "-f",
                "-",
                "-l",
                "set=one",
                "--prune",
                "--prune-allowlist=core/v1/ConfigMap"))
        .isEqualTo("configmap/new created\nconfigmap/old pruned\n");
    assertThat(kubectl.run("get", "configmaps", "-l", "set=one", "-o", "name").lines())
        .containsExactly("configmap/new", "configmap/unmanaged");
  }

  @KubectlTest
  void replacesAndSeesConflicts(Path program) {
    var kubectl = session(program);
    kubectl.runWith(MAP.formatted("m", "1"), "create", "-f", "-");
    var copy = kubectl.run("get", "configmap", "m", "-o", "yaml");
    assertThat(kubectl.runWith(copy.replace("a: \"1\"", "a: \"5\""), "replace", "-f", "-"))
        .isEqualTo("configmap/m replaced\n");
    assertThat(kubectl.failWith(copy, "replace", "-f", "-"))
        .contains("(Conflict)", "the object has been modified");
    var uid = kubectl.stored("configmap/m", "{.metadata.uid}");
    assertThat(kubectl.runWith(MAP.formatted("m", "6"), "replace", "--force", "-f", "-").lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("configmap \"m\" deleted"),
            line -> assertThat(line).isEqualTo("configmap/m replaced"));
    assertThat(kubectl.stored("configmap/m", "{.metadata.uid}")).isNotEqualTo(uid);
  }

  @KubectlTest
  void edits(Path program) throws Exception {
    var kubectl = session(program);
    kubectl.runWith(MAP.formatted("m", "before"), "create", "-f", "-");
    assertThat(kubectl.edit("sed -i s/before/after/", "edit", "configmap", "m").out())
        .isEqualTo("configmap/m edited\n");
    assertThat(kubectl.stored("configmap/m", "{.data.a}")).isEqualTo("after");
    assertThat(kubectl.edit("true", "edit", "configmap", "m").err())
        .contains("Edit cancelled, no changes made.");
    var refused = kubectl.edit("sed -i s/set:.one/set:.-no-/", "edit", "configmap", "m");
    assertThat(refused.code()).isNotZero();
    assertThat(refused.err()).contains("Edit cancelled, no valid changes were saved.");
    assertThat(kubectl.stored("configmap/m", "{.metadata.labels.set}")).isEqualTo("one");
  }

  @KubectlTest
  void patchesInThreeWays(Path program) {
    var kubectl = session(program);
    kubectl.run("create", "deployment", "d", "--image=nginx:1");
    var containers = "{\"spec\":{\"template\":{\"spec\":{\"containers\":[%s]}}}}";
    assertThat(
            kubectl.run(
                "patch",
                "deployment",
                "d",
                "-p",
                containers.formatted("{\"name\":\"side\",\"image\":\"busybox\"}")))
        .isEqualTo("deployment.apps/d patched\n");
    var names = "{.spec.template.spec.containers[*].name}";
    assertThat(kubectl.stored("deployment/d", names)).isEqualTo("side nginx");
    assertThat(
            kubectl.run(
                "patch",
                "deployment",
                "d",
                "-p",
                containers.formatted("{\"name\":\"nginx\",\"$patch\":\"delete\"}")))
        .isEqualTo("deployment.apps/d patched\n");
    assertThat(kubectl.stored("deployment/d", names)).isEqualTo("side");
    kubectl.run(
        "patch",
        "deployment",
        "d",
        "--type=merge",
        "-p",
        containers.formatted("{\"name\":\"only\",\"image\":\"busybox\"}"));
    assertThat(kubectl.stored("deployment/d", names)).isEqualTo("only");
    kubectl.run(
        "patch",
        "deployment",
        "d",
        "--type=json",
        "-p",
        "[{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":1},"
            + "{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":4}]");
    assertThat(kubectl.stored("deployment/d", "{.spec.replicas}")).isEqualTo("4");
    assertThat(
            kubectl.fail(
                "patch",
                "deployment",
                "d",
                "--type=json",
                "-p",
                "[{\"op\":\"test\",\"path\":\"/spec/replicas\",\"value\":1}]"))
        .contains("The request is invalid");
    assertThat(kubectl.run("patch", "deployment", "d", "-p", "{\"spec\":{\"replicas\":4}}"))
        .isEqualTo("deployment.apps/d patched (no change)\n");
    assertThat(kubectl.fail("patch", "deployment", "d", "-p", "{\"spec\":{\"replicas\":\"four\"}}"))
        .contains("unrecognized type: int32");
  }

  @KubectlTest
  void setsImagesAndMore(Path program) {
    var kubectl = session(program);
    kubectl.run("create", "deployment", "d", "--image=nginx:1");
    assertThat(kubectl.run("set", "image", "deployment/d", "nginx=nginx:2"))
        .isEqualTo("deployment.apps/d image updated\n");
    assertThat(kubectl.run("set", "env", "deployment/d", "A=b"))
        .isEqualTo("deployment.apps/d env updated\n");
    assertThat(kubectl.run("set", "resources", "deployment", "d", "--limits=cpu=1"))
        .isEqualTo("deployment.apps/d resource requirements updated\n");
    assertThat(kubectl.run("set", "serviceaccount", "deployment", "d", "robot"))
        .isEqualTo("deployment.apps/d serviceaccount updated\n");
    assertThat(
            kubectl.stored(
                "deployment/d",
                "{range .spec.template.spec.containers[0]}{.image} {.env[0].value}"
                    + " {.resources.limits.cpu}{end} {.spec.template.spec.serviceAccountName}"))
        .isEqualTo("nginx:2 b 1 robot");
    assertThat(kubectl.stored("deployment/d", "{.metadata.generation}")).isEqualTo("5");
    assertThat(kubectl.run("scale", "deployment", "d", "--replicas=3"))
        .isEqualTo("deployment.apps/d scaled\n");
    assertThat(kubectl.fail("scale", "deployment", "d", "--current-replicas=9", "--replicas=1"))
        .contains("Expected replicas to be 9, was 3");
    kubectl.run("create", "service", "clusterip", "s", "--tcp=80");
    assertThat(kubectl.run("set", "selector", "service", "s", "x=y"))
        .isEqualTo("service/s selector updated\n");
  }

  @KubectlTest
  void labelsAndAnnotates(Path program) {
    var kubectl = session(program);
    kubectl.run("run", "p", "--image=nginx", "--labels=a=b");
    assertThat(kubectl.fail("label", "pod", "p", "a=c"))
        .contains("'a' already has a value (b), and --overwrite is false");
    assertThat(kubectl.run("label", "pod", "p", "a=c", "--overwrite")).isEqualTo("pod/p labeled\n");
    assertThat(kubectl.stored("pod/p", "{.metadata.labels.a}")).isEqualTo("c");
    assertThat(kubectl.run("label", "pod", "p", "a-")).isIn("pod/p unlabeled\n", "pod/p labeled\n");
    assertThat(kubectl.fail("label", "pod", "p", "a=not a label")).contains("invalid label");
    assertThat(kubectl.run("annotate", "pod", "p", "n=1")).startsWith("pod/p annotate");
    assertThat(kubectl.run("annotate", "--overwrite", "pod", "p", "n=2"))
        .startsWith("pod/p annotate");
    assertThat(kubectl.stored("pod/p", "{.metadata.annotations.n}")).isEqualTo("2");
  }
}
