package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.ChildProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What people do with kubectl, with the oldest and the newest on the machine. Each call goes to
 * another server of the control plane than the one before, so that every step also shows that
 * writes through one server are seen at once through the others.
 */
abstract class KubectlUse {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final String WORKLOAD =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, labels: {app: web, tier: front}}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            containers: [{name: c, image: 'nginx:1', ports: [{containerPort: 80}]}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}, ports: [{port: 80}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web-0, labels: {app: web, rank: first}}
      spec: {containers: [{name: c, image: 'nginx:1'}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: other, labels: {app: other}}
      spec: {containers: [{name: c, image: 'nginx:1'}]}
      """;

  private static final Pattern EVENT =
      Pattern.compile("(ADDED|MODIFIED|DELETED) +(\\S+) +(\\d+) +\\S+");

  private int turn;

  abstract Path kubeconfig();

  /** The contexts of all servers. */
  abstract List<String> contexts();

  @KubectlTest
  void createsAndShowsObjectsInEveryForm(Path program) {
    var kubectl = kubectl(program);
    var namespace = workload(kubectl);
    assertThat(lines(kubectl, namespace, "get", "deployments,services,pods"))
        .anySatisfy(line -> assertThat(line).matches("NAME +READY +UP-TO-DATE +AVAILABLE +AGE"))
        .anySatisfy(line -> assertThat(line).matches("deployment.apps/web +0/2 +0 +0 +\\d+s"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .matches("service/web +ClusterIP +10\\.0\\.\\d+\\.\\d+ +<none> +80/TCP +\\d+s"))
        .anySatisfy(line -> assertThat(line).matches("pod/web-0 +0/1 +Pending +0 +\\d+s"));
    assertThat(lines(kubectl, namespace, "get", "deployments", "-o", "wide"))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .matches(
                        "NAME +READY +UP-TO-DATE +AVAILABLE +AGE +CONTAINERS +IMAGES +SELECTOR"),
            line -> assertThat(line).matches("web +0/2 +0 +0 +\\d+s +c +nginx:1 +app=web"));
    assertThat(lines(kubectl, namespace, "get", "deployment", "web", "-o", "yaml"))
        .startsWith("apiVersion: apps/v1", "kind: Deployment")
        .contains("  name: web", "  replicas: 2", "      - image: nginx:1", "status: {}");
    assertThat(on(kubectl, namespace, "get", "pods", "-o", "jsonpath={.items[*].metadata.name}"))
        .isEqualTo("other web-0");
    assertThat(
            lines(
                kubectl,
                namespace,
                "get",
                "deployments",
                "-o",
                "custom-columns=N:.metadata.name,R:.spec.replicas"))
        .satisfiesExactly(
            line -> assertThat(line).matches("N +R"), line -> assertThat(line).matches("web +2"));
    assertThat(on(kubectl, namespace, "describe", "deployment", "web"))
        .contains("2 desired | 0 updated | 0 total | 0 available | 0 unavailable");
  }

  @KubectlTest
  void selectsByLabelsAndFields(Path program) {
    var kubectl = kubectl(program);
    var namespace = workload(kubectl);
    assertThat(names(kubectl, namespace, "-l", "app=web")).containsExactly("pod/web-0");
    assertThat(names(kubectl, namespace, "-l", "app in (web,other),!rank"))
        .containsExactly("pod/other");
    assertThat(names(kubectl, namespace, "-l", "app notin (web)")).containsExactly("pod/other");
    assertThat(names(kubectl, namespace, "--field-selector", "metadata.name=web-0"))
        .containsExactly("pod/web-0");
    assertThat(names(kubectl, namespace, "--field-selector", "status.phase!=Pending")).isEmpty();
    assertThat(names(kubectl, namespace, "--field-selector", "spec.nodeName="))
        .containsExactly("pod/other", "pod/web-0");
    assertThat(names(kubectl, namespace, "--chunk-size=1"))
        .containsExactly("pod/other", "pod/web-0");
    var refused =
        next(kubectl).run("-n", namespace, "get", "pods", "--field-selector", "spec.image=x");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("field label not supported: spec.image");
  }

  @KubectlTest
  void changesObjectsInEveryWay(Path program) {
    var kubectl = kubectl(program);
    var namespace = workload(kubectl);
    on(kubectl, namespace, "scale", "deployment", "web", "--replicas=5");
    assertThat(field(kubectl, namespace, "{.spec.replicas}")).isEqualTo("5");
    var before = on(kubectl, namespace, "get", "deployment", "web", "-o", "yaml");
    var edited = before.replace("replicas: 5", "replicas: 6");
    assertThat(next(kubectl).succeedWithInput(edited, "replace", "-f", "-"))
        .isEqualTo("deployment.apps/web replaced\n");
    assertThat(field(kubectl, namespace, "{.spec.replicas}")).isEqualTo("6");
    var stale = next(kubectl).runWithInput(edited, "replace", "-f", "-");
    assertThat(stale.code()).isEqualTo(1);
    assertThat(stale.err())
        .contains("(Conflict)", "the object has been modified; please apply your changes");
    on(
        kubectl,
        namespace,
        "patch",
        "deployment",
        "web",
        "-p",
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"nginx:2\"}]}}}}");
    assertThat(field(kubectl, namespace, "{.spec.template.spec.containers[0]['image','name']}"))
        .isEqualTo("nginx:2 c");
    patch(
        kubectl,
        namespace,
        "json",
        "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":1}]");
    assertThat(field(kubectl, namespace, "{.spec.replicas}")).isEqualTo("1");
    patch(kubectl, namespace, "merge", "{\"spec\":{\"replicas\":3}}");
    assertThat(field(kubectl, namespace, "{.spec.replicas}")).isEqualTo("3");
    on(kubectl, namespace, "label", "deployment", "web", "a=b", "tier-");
    assertThat(field(kubectl, namespace, "{.metadata.labels}"))
        .isEqualTo("{\"a\":\"b\",\"app\":\"web\"}");
    on(kubectl, namespace, "annotate", "deployment", "web", "note=hello");
    assertThat(field(kubectl, namespace, "{.metadata.annotations.note}")).isEqualTo("hello");
    assertThat(field(kubectl, namespace, "{.metadata.generation}")).isEqualTo("7");
  }

  @KubectlTest
  void appliesOnTheClientAndOnTheServer(Path program) {
    var kubectl = kubectl(program);
    var namespace = namespace(kubectl);
    for (var how : List.of("--server-side=false", "--server-side")) {
      var name = how.equals("--server-side") ? "served" : "plain";
      for (var data : List.of("a: '1', b: '2'", "a: '3'")) {
        var map =
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {%s}\n"
                .formatted(name, data);
        next(kubectl).succeedWithInput(map, "-n", namespace, "apply", how, "-f", "-");
      }
      assertThat(on(kubectl, namespace, "get", "configmap", name, "-o", "jsonpath={.data}"))
          .isEqualTo("{\"a\":\"3\"}");
    }
  }

  @KubectlTest
  void watchesShowWhatOtherServersWrite(Path program) throws InterruptedException {
    var kubectl = kubectl(program);
    var namespace = namespace(kubectl);
    on(kubectl, namespace, "create", "configmap", "first");
    var command =
        next(kubectl)
            .command(
                "-n", namespace, "get", "configmaps", "-w", "--output-watch-events", "-l", "!off");
    try (var watch = ChildProcess.start(command)) {
      assertThat(seen(watch)).isEqualTo("ADDED first 0");
      on(kubectl, namespace, "create", "configmap", "second", "--from-literal=k=1");
      assertThat(seen(watch)).isEqualTo("ADDED second 1");
      on(kubectl, namespace, "patch", "configmap", "second", "-p", "{\"data\":{\"l\":\"2\"}}");
      assertThat(seen(watch)).isEqualTo("MODIFIED second 2");
      on(kubectl, namespace, "label", "configmap", "second", "off=1");
      assertThat(seen(watch)).isEqualTo("DELETED second 2");
      on(kubectl, namespace, "delete", "configmap", "first");
      assertThat(seen(watch)).isEqualTo("DELETED first 0");
    }
  }

  @KubectlTest
  void finalizersHoldWhatIsDeleted(Path program) throws InterruptedException {
    var kubectl = kubectl(program);
    var namespace = namespace(kubectl);
    on(kubectl, namespace, "create", "configmap", "held");
    finalizers(kubectl, namespace, "[\"example.com/hold\"]");
    try (var delete =
        ChildProcess.start(next(kubectl).command("-n", namespace, "delete", "configmap", "held"))) {
      assertThat(delete.nextLine()).startsWith("configmap \"held\" deleted");
      assertThat(
              on(
                  kubectl,
                  namespace,
                  "get",
                  "configmap",
                  "held",
                  "-o",
                  "jsonpath={.metadata.deletionTimestamp}"))
          .isNotEmpty();
      assertThat(delete.isAlive()).as("kubectl waits for the finalizer").isTrue();
      finalizers(kubectl, namespace, "null");
      assertThat(delete.waitFor()).isZero();
    }
    var gone = next(kubectl).run("-n", namespace, "get", "configmap", "held");
    assertThat(gone.err()).contains("configmaps \"held\" not found");
  }

  @KubectlTest
  void discoversEverythingAndKeepsItInItsCache(Path program) {
    var kubectl = kubectl(program);
    for (int i = 0; i < 2; i++) {
      assertThat(next(kubectl).succeed("api-resources").lines())
          .anySatisfy(line -> assertThat(line).matches("configmaps +cm +v1 +true +ConfigMap"))
          .anySatisfy(
              line -> assertThat(line).matches("deployments +deploy +apps/v1 +true +Deployment"))
          .hasSizeGreaterThan(55);
      assertThat(next(kubectl).succeed("api-versions").lines())
          .contains("v1", "apps/v1", "rbac.authorization.k8s.io/v1")
          .doesNotHaveDuplicates();
    }
    assertThat(next(kubectl).succeed("explain", "deployment.spec.replicas"))
        .contains("FIELD", "replicas", "integer");
  }

  @KubectlTest
  void deletingANamespaceWaitsForWhatItHoldsAndEnds(Path program) throws InterruptedException {
    var kubectl = kubectl(program);
    var namespace = workload(kubectl);
    on(kubectl, namespace, "create", "configmap", "held");
    finalizers(kubectl, namespace, "[\"example.com/hold\"]");
    try (var delete = ChildProcess.start(next(kubectl).command("delete", "namespace", namespace))) {
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Kubectl.BETWEEN_LOOKS)
          .untilAsserted(
              () ->
                  assertThat(
                          next(kubectl)
                              .succeed(
                                  "get",
                                  "namespace",
                                  namespace,
                                  "-o",
                                  "jsonpath={.status.conditions[?(@.type=='NamespaceFinalizersRemaining')].message}"))
                      .isEqualTo(
                          "Some content in the namespace has finalizers remaining: example.com/hold"
                              + " in 1 resource instances"));
      assertThat(names(kubectl, namespace)).isEmpty();
      var refused = next(kubectl).run("-n", namespace, "create", "configmap", "late");
      assertThat(refused.err()).contains("because it is being terminated");
      assertThat(delete.isAlive()).isTrue();
      finalizers(kubectl, namespace, "null");
      assertThat(delete.waitFor()).isZero();
    }
    assertThat(next(kubectl).run("get", "namespace", namespace).err())
        .contains("namespaces \"" + namespace + "\" not found");
  }

  private void patch(Kubectl kubectl, String namespace, String type, String patch) {
    on(kubectl, namespace, "patch", "deployment", "web", "--type=" + type, "-p", patch);
  }

  private void finalizers(Kubectl kubectl, String namespace, String value) {
    on(
        kubectl,
        namespace,
        "patch",
        "configmap",
        "held",
        "--type=merge",
        "-p",
        "{\"metadata\":{\"finalizers\":" + value + "}}");
  }

  /** The next event without its age, and without what a controller made. */
  private static String seen(ChildProcess watch) throws InterruptedException {
    for (var line = watch.nextLine(); line != null; line = watch.nextLine()) {
      var event = EVENT.matcher(line.strip());
      if (event.matches() && !event.group(2).startsWith("kube-")) {
        return String.join(" ", event.group(1), event.group(2), event.group(3));
      }
    }
    throw new AssertionError("the watch ended: " + watch.output());
  }

  private String field(Kubectl kubectl, String namespace, String path) {
    return on(kubectl, namespace, "get", "deployment", "web", "-o", "jsonpath=" + path);
  }

  private List<String> names(Kubectl kubectl, String namespace, String... more) {
    var arguments =
        Stream.concat(Stream.of("get", "pods", "-o", "name"), Stream.of(more))
            .toArray(String[]::new);
    return on(kubectl, namespace, arguments).lines().toList();
  }

  private List<String> lines(Kubectl kubectl, String namespace, String... arguments) {
    return on(kubectl, namespace, arguments).lines().map(String::stripTrailing).toList();
  }

  /** A new namespace with two pods, a deployment and a service. */
  private String workload(Kubectl kubectl) {
    var namespace = namespace(kubectl);
    assertThat(
            next(kubectl).succeedWithInput(WORKLOAD, "-n", namespace, "create", "-f", "-").lines())
        .containsExactly(
            "deployment.apps/web created",
            "service/web created",
            "pod/web-0 created",
            "pod/other created");
    return namespace;
  }

  /** Pods need the account that a controller makes. */
  private String namespace(Kubectl kubectl) {
    var name = "use-" + NAMES.incrementAndGet();
    next(kubectl).succeed("create", "namespace", name);
    await()
        .until(() -> next(kubectl).run("-n", name, "get", "serviceaccount", "default").code() == 0);
    return name;
  }

  private String on(Kubectl kubectl, String namespace, String... arguments) {
    return next(kubectl)
        .succeed(
            Stream.concat(Stream.of("-n", namespace), Stream.of(arguments)).toArray(String[]::new));
  }

  private Kubectl kubectl(Path program) {
    return new Kubectl(program, kubeconfig(), "");
  }

  /** The same kubectl, on the next server. */
  private Kubectl next(Kubectl kubectl) {
    var contexts = contexts();
    return kubectl.on(contexts.get(turn++ % contexts.size()));
  }
}
