package dev.muster.patch.ownership;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.Tree;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.schema.Schemas;
import dev.muster.schema.read.TypedReader;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Objects;
import java.util.function.Supplier;

/** Measures what tracking ownership costs: CPU of one thread for each request. Run by hand. */
final class OwnershipCost {
  private static final GroupVersion V1 = new GroupVersion("", "v1");

  private final FieldOwnership pods =
      new FieldOwnership(
          Objects.requireNonNull(Schemas.of(V1.kind("Pod"))),
          V1.kind("Pod"),
          "",
          FieldFilter.without(FieldSet.of("status")),
          Versions.ONE);
  private final FieldOwnership status =
      new FieldOwnership(
          Objects.requireNonNull(Schemas.of(V1.kind("Pod"))),
          V1.kind("Pod"),
          "status",
          FieldFilter.without(FieldSet.of("spec")),
          Versions.ONE);
  private final Instant now = Instant.EPOCH;
  private long sink;

  private OwnershipCost() {}

  public static void main(String[] args) {
    new OwnershipCost().run();
  }

  private void run() {
    var bare = pod();
    var live = withManagers(bare);
    var bytes = JsonWriter.bytes(live);
    System.out.printf(
        "a Pod of %d bytes, %d with its managedFields of %d managers%n",
        JsonWriter.bytes(bare).length,
        bytes.length,
        live.object("metadata").array("managedFields").size());
    measure("create", () -> pods.afterWrite(null, bare, "maker", now));
    var labelled = live.withAt(Json.of("changed"), "metadata", "labels", "label-3");
    measure("patch of a label", () -> pods.afterWrite(live, labelled, "editor", now));
    var image = withImage(live);
    measure("patch of an image", () -> pods.afterWrite(live, image, "editor", now));
    var parsed = (JsonObject) JsonReader.read(JsonWriter.bytes(image));
    measure("PUT of an image", () -> pods.afterWrite(live, parsed, "editor", now));
    var same = (JsonObject) JsonReader.read(bytes);
    measure("PUT that changes nothing", () -> pods.afterWrite(live, same, "editor", now));
    var phase = live.withAt(Json.of("Failed"), "status", "phase");
    measure("patch of the status", () -> status.afterWrite(live, phase, "kubelet", now));
    var applied = applied(bare);
    var owned = pods.apply(live, applied, "applier", true, now).object();
    measure(
        "apply that changes nothing",
        () -> pods.apply(owned, applied, "applier", false, now).object());
    var other = withImage(applied);
    measure("apply of an image", () -> pods.apply(owned, other, "applier", true, now).object());
    var fewer = applied.withoutAt("metadata", "labels", "label-1");
    measure("apply without a label", () -> pods.apply(owned, fewer, "applier", true, now).object());
    if (sink == 42) {
      System.out.println();
    }
  }

  private void measure(String what, Supplier<JsonObject> request) {
    var threads = ManagementFactory.getThreadMXBean();
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 8; round++) {
      int times = round < 3 ? 20_000 : 10_000;
      long start = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < times; i++) {
        sink += request.get().size();
      }
      best = Math.min(best, (threads.getCurrentThreadCpuTime() - start) / 1e3 / times);
    }
    System.out.printf("%-28s %6.1f us%n", what, best);
  }

  private static JsonObject pod() {
    var env = new ArrayList<Json>();
    for (int i = 0; i < 25; i++) {
      env.add(JsonObject.of("name", "VARIABLE_" + i, "value", "the value of variable number " + i));
    }
    var containers = new ArrayList<Json>();
    for (int i = 0; i < 3; i++) {
      containers.add(
          Tree.object(
                  """
                  {'image':'registry.example.com/team/image:1.2.3','imagePullPolicy':'IfNotPresent',
                   'ports':[{'containerPort':8080,'protocol':'TCP','name':'http'},{'containerPort':9090,'protocol':'TCP','name':'metrics'}],
                   'resources':{'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'100m','memory':'256Mi'}},
                   'livenessProbe':{'httpGet':{'path':'/live','port':8080,'scheme':'HTTP'},'periodSeconds':10,'timeoutSeconds':1,'successThreshold':1,'failureThreshold':3},
                   'readinessProbe':{'httpGet':{'path':'/ready','port':8080,'scheme':'HTTP'},'periodSeconds':10,'timeoutSeconds':1,'successThreshold':1,'failureThreshold':3},
                   'volumeMounts':[{'name':'config','mountPath':'/etc/config'},{'name':'data','mountPath':'/var/data'}],
                   'terminationMessagePath':'/dev/termination-log','terminationMessagePolicy':'File',
                   'securityContext':{'runAsNonRoot':true,'capabilities':{'drop':['ALL']}}}
                  """)
              .with("name", "container-" + i)
              .with("env", JsonArray.of(env)));
    }
    var labels = JsonObject.builder();
    for (int i = 0; i < 8; i++) {
      labels.put("label-" + i, "value-" + i);
    }
    var pod =
        Tree.object(
            """
            {'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'b','uid':'u',
              'annotations':{'example.com/a':'some text','example.com/b':'some more text'}},
             'spec':{'restartPolicy':'Always','terminationGracePeriodSeconds':30,'dnsPolicy':'ClusterFirst','serviceAccountName':'default',
              'nodeName':'node-17','securityContext':{},'schedulerName':'default-scheduler','priority':0,
              'volumes':[{'name':'config','configMap':{'name':'c','defaultMode':420}},{'name':'data','emptyDir':{}}],
              'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute','tolerationSeconds':300}]},
             'status':{'phase':'Running','podIP':'10.1.2.3','hostIP':'10.0.0.1','qosClass':'Burstable',
              'conditions':[{'type':'Initialized','status':'True'},{'type':'Ready','status':'True'},{'type':'ContainersReady','status':'True'},{'type':'PodScheduled','status':'True'}]}}
            """);
    return TypedReader.normal(
        Objects.requireNonNull(Schemas.of(V1.kind("Pod"))),
        pod.withAt(labels.build(), "metadata", "labels")
            .withAt(JsonArray.of(containers), "spec", "containers"));
  }

  /** The Pod as five managers made it. */
  private JsonObject withManagers(JsonObject pod) {
    var first = pod.withoutAt("spec", "nodeName").without("status");
    first = first.withoutAt("metadata", "annotations").with("status", JsonObject.EMPTY);
    var object = pods.afterWrite(null, first, "maker", now);
    object =
        pods.afterWrite(
            object, object.withAt(Json.of("node-17"), "spec", "nodeName"), "scheduler", now);
    var annotations = pod.object("metadata").object("annotations");
    for (int i = 0; i < 2; i++) {
      object =
          pods.afterWrite(
              object,
              object.withAt(annotations.value(i), "metadata", "annotations", annotations.key(i)),
              "annotator-" + i,
              now);
    }
    return status.afterWrite(object, object.with("status", pod.object("status")), "kubelet", now);
  }

  private static JsonObject withImage(JsonObject pod) {
    var containers = pod.object("spec").array("containers");
    return pod.withAt(
        containers.with(1, containers.object(1).with("image", "registry.example.com/new:2")),
        "spec",
        "containers");
  }

  private static JsonObject applied(JsonObject pod) {
    return pod.without("status").withoutAt("metadata", "uid").withoutAt("metadata", "annotations");
  }
}
