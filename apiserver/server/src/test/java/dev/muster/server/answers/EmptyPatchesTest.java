package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.store.MemoryStore;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What webhooks and policies set to an empty value goes to the store as if the client had sent it:
 * a built-in type drops it where it means nothing, a custom resource keeps it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmptyPatchesTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String WIDGETS = "example.com";

  private final MemoryStore store = new MemoryStore();
  private RunningServer server;
  private HookServer hooks;
  private String namespace;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, store);
    hooks = new HookServer();
    make(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        """
        {'metadata':{'name':'widgets.example.com'},'spec':{'group':'example.com',
         'scope':'Namespaced','names':{'plural':'widgets','kind':'Widget'},
         'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':
          {'type':'object','properties':{'spec':{'type':'object','properties':{
           'list':{'type':'array','x-kubernetes-list-type':'set','items':{'type':'string'}},
           'map':{'type':'object','additionalProperties':{'type':'string'}},
           'nested':{'type':'object','properties':{'a':{'type':'string'}}},
           'maybe':{'type':'string','nullable':true},
           'plain':{'type':'string'},
           'usual':{'type':'string','default':'x'},
           'free':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}}}}}]}}
        """);
  }

  @BeforeEach
  void makeNamespace() {
    namespace = server.namespace();
  }

  @AfterAll
  void stop() {
    hooks.close();
    server.close();
    store.close();
  }

  private void make(String path, String body) {
    var made = server.post(path, body.replace('\'', '"'));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  private static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private String constraints(String group, String resource) {
    return ("'resourceRules':[{'apiGroups':['%s'],'apiVersions':['v1'],'resources':['%s'],"
            + "'operations':['*']}],'namespaceSelector':{'matchLabels':"
            + "{'kubernetes.io/metadata.name':'%s'}}")
        .formatted(group, resource, namespace);
  }

  private void webhook(String group, String resource, String patch) {
    var bytes = patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    var answer =
        json("{'allowed':true,'patchType':'JSONPatch'}")
            .with("patch", Base64.getEncoder().encodeToString(bytes));
    hooks.at("/" + namespace, request -> answer);
    make(
        GROUP + "mutatingwebhookconfigurations",
        """
        {'metadata':{'name':'%1$s'},'webhooks':[{'name':'w.example.com','clientConfig':%2$s,
         'sideEffects':'None','admissionReviewVersions':['v1'],
         'rules':[{'apiGroups':['%3$s'],'apiVersions':['v1'],'resources':['%4$s'],
                   'operations':['*']}],
         'namespaceSelector':{'matchLabels':{'kubernetes.io/metadata.name':'%1$s'}}}]}
        """
            .formatted(namespace, hooks.client("/" + namespace), group, resource));
  }

  private void policy(String group, String resource, String mutation) {
    make(
        GROUP + "mutatingadmissionpolicies",
        "{'metadata':{'name':'%s'},'spec':{'matchConstraints':{%s},'reinvocationPolicy':'Never',"
                .formatted(namespace, constraints(group, resource))
            + "'mutations':[%s]}}".formatted(mutation));
    make(
        GROUP + "mutatingadmissionpolicybindings",
        "{'metadata':{'name':'%1$s'},'spec':{'policyName':'%1$s'}}".formatted(namespace));
  }

  private void jsonPatchPolicy(String group, String resource, String path, String value) {
    policy(
        group,
        resource,
        "{'patchType':'JSONPatch','jsonPatch':{'expression':"
            + "'[JSONPatch{op: \\\"add\\\", path: \\\"%s\\\", value: %s}]'}}"
                .formatted(path, value));
  }

  private void applyPolicy(String group, String resource, String expression) {
    policy(
        group,
        resource,
        "{'patchType':'ApplyConfiguration','applyConfiguration':{'expression':'%s'}}"
            .formatted(expression));
  }

  /** The object that lies in the store under this test's names. */
  private JsonObject stored(String storage) {
    var key = storage + "/" + namespace + "/a";
    try (var image = store.image()) {
      for (var entry : image) {
        if (entry.key().equals(key)) {
          return (JsonObject) JsonReader.read(entry.value());
        }
      }
    }
    throw new AssertionError("nothing is stored at " + key);
  }

  private String path(String group, String resource) {
    var prefix = group.isEmpty() ? "/api/v1" : "/apis/" + group + "/v1";
    return prefix + "/namespaces/" + namespace + "/" + resource;
  }

  private void widget(String spec) {
    make(
        path(WIDGETS, "widgets"),
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'a'},'spec':{%s}}"
            .formatted(spec));
  }

  private JsonObject storedWidget() {
    return stored("/example.com/widgets").object("spec");
  }

  /** What comes as a text is read by its schema first; what a policy makes of a tree is not. */
  @Test
  void aNullThatTheSchemaDoesNotKnowIsDroppedFromBodiesAndWebhooksAndRefusedFromPolicies() {
    widget("'plain':null");
    assertIs(storedWidget(), "plain", "gone");

    makeNamespace();
    webhook(WIDGETS, "widgets", "[{'op':'add','path':'/spec/plain','value':null}]");
    widget("");
    assertIs(storedWidget(), "plain", "gone");

    makeNamespace();
    jsonPatchPolicy(WIDGETS, "widgets", "/spec/plain", "null");
    var refused =
        server.post(
            path(WIDGETS, "widgets"),
            "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\"},"
                + "\"spec\":{}}");
    assertThat(refused.code()).as(refused.text()).isEqualTo(422);
    assertThat(refused.message()).contains("spec.plain in body must be of type string");
  }

  private static void assertIs(JsonObject spec, String field, String expected) {
    if (expected.equals("gone")) {
      assertThat(spec.keys()).doesNotContain(field);
    } else {
      assertThat(String.valueOf(spec.get(field))).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "list,[],[]",
    "map,{},{}",
    "nested,{},{}",
    "free,{},{}",
    "maybe,null,null",
    "usual,null,\"x\""
  })
  void customResourcesKeepWhatTheirSchemaAllows(String field, String value, String expected) {
    widget("'%s':%s".formatted(field, value));
    assertIs(storedWidget(), field, expected);

    makeNamespace();
    webhook(
        WIDGETS, "widgets", "[{'op':'add','path':'/spec/%s','value':%s}]".formatted(field, value));
    widget("");
    assertIs(storedWidget(), field, expected);

    makeNamespace();
    jsonPatchPolicy(WIDGETS, "widgets", "/spec/" + field, value);
    widget("");
    assertIs(storedWidget(), field, expected);
  }

  @ParameterizedTest
  @CsvSource({"list,[],[]", "map,{},{}", "nested,Object.spec.nested{},{}"})
  void customResourcesKeepWhatAPolicyApplies(String field, String value, String expected) {
    applyPolicy(WIDGETS, "widgets", "Object{spec: Object.spec{%s: %s}}".formatted(field, value));
    widget("");
    assertIs(storedWidget(), field, expected);
  }

  @ParameterizedTest
  @CsvSource({"data,{}", "data,null", "binaryData,{}", "binaryData,null", "immutable,null"})
  void builtInTypesDropWhatMeansNothing(String field, String value) {
    webhook("", "configmaps", "[{'op':'add','path':'/%s','value':%s}]".formatted(field, value));
    make(path("", "configmaps"), "{'metadata':{'name':'a'}}");
    assertThat(stored("/configmaps").keys()).doesNotContain(field);

    makeNamespace();
    jsonPatchPolicy("", "configmaps", "/" + field, value);
    make(path("", "configmaps"), "{'metadata':{'name':'a'}}");
    assertThat(stored("/configmaps").keys()).doesNotContain(field);
  }

  @ParameterizedTest
  @CsvSource({"labels,{}", "annotations,{}", "finalizers,[]", "ownerReferences,[]", "labels,null"})
  void metadataDropsWhatMeansNothing(String field, String value) {
    webhook(
        "",
        "configmaps",
        "[{'op':'add','path':'/metadata/%s','value':%s}]".formatted(field, value));
    make(path("", "configmaps"), "{'metadata':{'name':'a'}}");
    assertThat(stored("/configmaps").object("metadata").keys()).doesNotContain(field);

    makeNamespace();
    jsonPatchPolicy(WIDGETS, "widgets", "/metadata/" + field, value);
    widget("");
    assertThat(stored("/example.com/widgets").object("metadata").keys()).doesNotContain(field);
  }

  @ParameterizedTest
  @CsvSource({"'Object{data: {}}',data", "'Object{metadata: Object.metadata{labels: {}}}',labels"})
  void builtInTypesDropWhatAPolicyAppliesEmpty(String expression, String field) {
    applyPolicy("", "configmaps", expression);
    make(path("", "configmaps"), "{'metadata':{'name':'a'}}");
    assertThat(stored("/configmaps").keys()).doesNotContain(field);
    assertThat(stored("/configmaps").object("metadata").keys()).doesNotContain(field);
  }
}
