package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.LegacyKinds;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.protobuf.ProtobufCodec;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.testing.objects.RandomObjects;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.wire.CborReader;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.yaml.YamlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others wrote into the store is shown by every way of reading as if it were ours. */
@Tag("slow")
class StoredByOthersTest {
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final String NAMESPACE = "elsewhere";

  /** The names under which the server itself writes. */
  private static final Set<String> SERVERS =
      Set.of("kube-apiserver", "api-priority-and-fairness-config-consumer-v1");

  private static final String YAML = "application/yaml";
  private static final String CBOR = "application/cbor";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String TABLE =
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

  @TempDir private Path directory;

  private static void put(MemoryStore store, String key, byte[] value) {
    store.commit(Transaction.of(new Operation.Put(key, value, 0, null))).join();
  }

  private static byte[] json(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  /** An object that some server wrote. */
  private static String key(ServedType type, String name) {
    return type.storage() + "/" + (type.namespaced() ? NAMESPACE + "/" : "") + name;
  }

  private static String path(ServedType type) {
    var version = type.groupVersion();
    return (version.group().isEmpty() ? "/api/v1" : "/apis/" + version)
        + (type.namespaced() ? "/namespaces/" + NAMESPACE : "")
        + "/"
        + type.plural();
  }

  /** Puts every kind there, in all its versions, in JSON and in protobuf. */
  private static Map<ServedType, List<String>> fill(MemoryStore store) {
    var names = new HashMap<ServedType, List<String>>();
    for (var type : TYPES.all()) {
      if (type.isStored() && type.isServed()) {
        put(store, type, type.kind(), type.shape(), names);
      }
    }
    for (var former : LegacyKinds.all().values()) {
      var type = Objects.requireNonNull(TYPES.ofKind(former.served()));
      put(store, type, former.kind(), former.shape(), names);
    }
    return names;
  }

  private static void put(
      MemoryStore store,
      ServedType type,
      GroupVersionKind kind,
      StructShape shape,
      Map<ServedType, List<String>> names) {
    for (double density : new double[] {1, 0.4, 0}) {
      var filled = new RandomObjects(23, density).of(kind, shape);
      var base = (kind.group() + "-" + kind.version()).replace('.', '-') + Math.round(density * 10);
      for (var encoding : List.of("json", "protobuf")) {
        var name = base + "-" + encoding;
        var metadata = filled.object("metadata").with("name", name);
        var object =
            filled.with(
                "metadata",
                (type.namespaced() ? metadata.with("namespace", NAMESPACE) : metadata)
                    .without("deletionTimestamp")
                    .without("deletionGracePeriodSeconds"));
        put(
            store,
            key(type, name),
            encoding.equals("json")
                ? JsonWriter.bytes(object)
                : ProtobufCodec.encode(shape, object));
        names.computeIfAbsent(type, any -> new ArrayList<>()).add(name);
      }
    }
  }

  @Test
  void everyKindIsShownTheSameInEveryEncodingAndWatched() throws Exception {
    var store = new MemoryStore();
    var names = fill(store);
    try (var server =
        RunningServer.start(directory, store, Map.of("CBORServingAndStorage", true))) {
      try (var watches = Executors.newVirtualThreadPerTaskExecutor()) {
        var seen = new ArrayList<Future<?>>();
        names.forEach(
            (type, all) ->
                seen.add(
                    watches.submit(
                        () ->
                            Awaitility.await()
                                .untilAsserted(
                                    () -> assertThat(watched(server, type)).containsAll(all)))));
        for (var watch : seen) {
          watch.get();
        }
      }
      // The server keeps the status of some kinds, so that they change between two requests.
      names.forEach(
          (type, all) -> Awaitility.await().untilAsserted(() -> compareAll(server, type, all)));
    }
  }

  private static void compareAll(RunningServer server, ServedType type, List<String> names) {
    var list = server.get(path(type)).object();
    for (var name : names) {
      var object = find(list, name);
      assertThat(object).as("%s %s", type.kind(), name).isNotEqualTo(JsonObject.EMPTY);
      compare(server, type, name, object.with("kind", type.kind().kind()));
    }
    var table = server.send("GET", path(type), "", TABLE, new byte[0]).object();
    assertThat(table.array("rows").size()).isEqualTo(list.array("items").size());
  }

  private static JsonObject find(JsonObject list, String name) {
    return list.array("items").objects().stream()
        .filter(item -> item.object("metadata").string("name").equals(name))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  private static void compare(
      RunningServer server, ServedType type, String name, JsonObject listed) {
    var path = path(type) + "/" + name;
    var object = server.get(path).object();
    assertThat(object.string("apiVersion")).isEqualTo(type.kind().apiVersion());
    assertThat(object.without("apiVersion")).isEqualTo(listed.without("apiVersion"));
    assertThat(JsonArray.of(YamlReader.document(bytes(server, path, YAML)).value()))
        .isEqualTo(JsonArray.of(object));
    assertThat(JsonArray.of(CborReader.read(bytes(server, path, CBOR))))
        .isEqualTo(JsonArray.of(object));
    if (Schemas.of(type.kind()) != null) {
      var read = ProtobufCodec.decode(bytes(server, path, PROTOBUF));
      assertThat(withoutTypesInside(read)).isEqualTo(withoutTypesInside(object));
    }
    if (name.endsWith("-json")) {
      var twin = server.get(path.replaceAll("json$", "protobuf")).object();
      assertThat(asWritten(twin)).isEqualTo(asWritten(object));
    }
  }

  /** Protobuf does not carry the kinds of objects that are inside of others. */
  private static JsonObject withoutTypesInside(JsonObject object) {
    var claims = object.object("spec").get("volumeClaimTemplates");
    return claims instanceof JsonArray list
        ? object.withAt(
            list.map(item -> ((JsonObject) item).without("kind").without("apiVersion")),
            "spec",
            "volumeClaimTemplates")
        : object;
  }

  /** Without the name, and without what this server added, at a time of its own. */
  private static JsonObject asWritten(JsonObject object) {
    var anonymous =
        object
            .withoutAt("metadata", "name")
            .withoutAt("metadata", "resourceVersion")
            .withoutAt("metadata", "labels", "kubernetes.io/metadata.name");
    return object.object("metadata").array("managedFields").objects().stream()
            .anyMatch(entry -> SERVERS.contains(entry.string("manager")))
        ? anonymous.withoutAt("metadata", "managedFields").without("status")
        : anonymous;
  }

  private static byte[] bytes(RunningServer server, String path, String accept) {
    return server.send("GET", path, "", accept, new byte[0]).body();
  }

  private static List<String> watched(RunningServer server, ServedType type) {
    var events = server.get(path(type) + "?watch=true&resourceVersion=0&timeoutSeconds=1").text();
    return events
        .lines()
        .map(line -> (JsonObject) JsonReader.read(line.getBytes(StandardCharsets.UTF_8)))
        .map(event -> event.object("object", "metadata").string("name"))
        .toList();
  }

  @Test
  void whatComesLaterIsWatchedAsItIsRead() throws Exception {
    var store = new MemoryStore();
    try (var server = RunningServer.start(directory, store)) {
      var path = "/api/v1/namespaces/" + NAMESPACE + "/persistentvolumeclaims";
      var before = server.get(path).object().object("metadata").string("resourceVersion");
      put(
          store,
          "/persistentvolumeclaims/" + NAMESPACE + "/late",
          json(
              "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'late',"
                  + "'namespace':'elsewhere'},'spec':{}}"));
      var events =
          server.get(path + "?watch=true&timeoutSeconds=1&resourceVersion=" + before).text();
      assertThat(events).contains("\"phase\":\"Pending\"").contains("\"type\":\"ADDED\"");
    }
  }

  @Test
  void oneThatCannotBeReadIsNamedAndTheOthersGoOn() throws Exception {
    var store = new MemoryStore();
    put(
        store,
        "/configmaps/elsewhere/bad",
        json("{'apiVersion':'v9','kind':'ConfigMap','metadata':{'name':'bad'}}"));
    put(
        store,
        "/configmaps/elsewhere/good",
        json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'good'}}"));
    try (var server = RunningServer.start(directory, store)) {
      var path = "/api/v1/namespaces/" + NAMESPACE + "/configmaps";
      var bad = server.get(path + "/bad");
      assertThat(bad.code()).isEqualTo(500);
      assertThat(bad.message())
          .contains("/configmaps/elsewhere/bad")
          .contains("no kind \"ConfigMap\" is registered for version \"v9\"");
      assertThat(server.get(path + "/good").code()).isEqualTo(200);
      var list = server.get(path);
      assertThat(list.object().array("items").size()).isEqualTo(1);
      assertThat(list.warnings())
          .containsExactly(
              "299 - \"the value of key /configmaps/elsewhere/bad cannot be decoded: it is left"
                  + " out\"");
      assertThat(server.get("/api/v1/namespaces/default/configmaps").warnings()).isEmpty();
      // Who empties the namespace is not told that it is empty.
      var emptied = server.delete(path, "{}");
      assertThat(emptied.code()).isEqualTo(500);
      assertThat(emptied.message()).contains("/configmaps/elsewhere/bad");
      assertThat(server.get(path).object().array("items").isEmpty()).isTrue();
      assertThat(server.delete("/api/v1/namespaces/default/configmaps", "{}").code())
          .isEqualTo(200);
    }
  }

  @Test
  void aDefinitionOfKubernetesIsShownInTheVersionOfItsClients() throws Exception {
    var store = new MemoryStore();
    put(
        store,
        "/apiextensions.k8s.io/customresourcedefinitions/widgets.example.com",
        json(
            "{'kind':'CustomResourceDefinition','apiVersion':'apiextensions.k8s.io/v1beta1',"
                + "'metadata':{'name':'widgets.example.com'},'spec':{'group':'example.com',"
                + "'version':'v1','names':{'plural':'widgets','singular':'widget','kind':'Widget',"
                + "'listKind':'WidgetList'},'scope':'Namespaced','validation':{'openAPIV3Schema':"
                + "{'type':'object'}},'versions':[{'name':'v1','served':true,'storage':true}],"
                + "'conversion':{'strategy':'None'},'preserveUnknownFields':false}}"));
    try (var server = RunningServer.start(directory, store)) {
      var path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      var item =
          Awaitility.await()
              .until(
                  () -> server.get(path + "/widgets.example.com").object(),
                  read -> read.object("status").array("conditions").size() == 2);
      assertThat(item.without("apiVersion").without("kind"))
          .isEqualTo(server.get(path).object().array("items").object(0));
      assertThat(item.string("apiVersion")).isEqualTo("apiextensions.k8s.io/v1");
      assertThat(item.object("spec").has("validation")).isFalse();
      assertThat(item.object("spec").array("versions").object(0).at("schema", "openAPIV3Schema"))
          .isEqualTo(JsonObject.of("type", "object"));
    }
  }
}
