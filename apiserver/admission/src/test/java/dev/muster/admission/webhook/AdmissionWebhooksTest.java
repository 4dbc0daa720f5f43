package dev.muster.admission.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.AdmissionChain;
import dev.muster.admission.manifest.ManifestSet;
import dev.muster.authentication.webhook.WebhookUsers;
import dev.muster.authorization.FakeCluster;
import dev.muster.authorization.Requests;
import dev.muster.authorization.modes.AlwaysAllow;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.webhook.WebhookCall;
import dev.muster.registry.webhook.WebhookCredentials;
import dev.muster.registry.webhook.WebhookException;
import dev.muster.registry.webhook.WebhookResponse;
import dev.muster.types.ServedType;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which webhooks are asked about a request, and what comes of their answers. */
class AdmissionWebhooksTest {
  private static final ServedType CONFIG_MAPS = Requests.type("v1", "ConfigMap", "configmaps");
  private static final String MUTATING = AdmissionWebhooks.MUTATING;
  private static final String VALIDATING = AdmissionWebhooks.VALIDATING;

  private final FakeCluster cluster = new FakeCluster();
  private final Requests requests = new Requests(cluster);

  /** The paths that were called, in order. */
  private final List<String> calls = new CopyOnWriteArrayList<>();

  /** What they were shown. */
  private final List<String> shown = new CopyOnWriteArrayList<>();

  private final List<JsonObject> reviews = new CopyOnWriteArrayList<>();

  /** What the webhook at a path says to a review's request. */
  private final Map<String, Function<JsonObject, JsonObject>> answers = new HashMap<>();

  /** Paths at which nothing is answered as long as somebody waits. */
  private final Set<String> hangs = new HashSet<>();

  private final WebhookUsers users =
      new WebhookUsers(
          Map.of("127.0.0.1", shown("exact"), "*.svc", shown("services")), shown("others"));
  private final ManifestSet manifests = ManifestSet.EMPTY;
  private final HookSettings settings =
      new HookSettings(
          new AlwaysAllow(),
          this::post,
          () -> users,
          () -> "id",
          AdmissionObserver.NONE,
          () -> manifests);
  private final MutatingWebhooks mutating = new MutatingWebhooks(settings);
  private final ValidatingWebhooks validating = new ValidatingWebhooks(settings);
  private final AdmissionChain chain = new AdmissionChain(List.of(mutating, validating));

  @BeforeEach
  void namespace() {
    cluster.put("/namespaces", json("{'metadata':{'name':'ns','labels':{'team':'blue'}}}"));
  }

  private static JsonObject json(String text) {
    return (JsonObject) JsonReader.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static WebhookCredentials shown(String authorization) {
    return new WebhookCredentials(authorization, "", "", "", false);
  }

  private WebhookResponse post(WebhookCall call) throws WebhookException {
    shown.add(call.client().credentials().authorization());
    var path = call.client().address().path();
    var request = ((JsonObject) JsonReader.read(call.body())).object("request");
    calls.add(path);
    reviews.add(request);
    var answer = answers.get(path);
    if (hangs.contains(path)) {
      while (!call.deadline().isOver()) {
        Thread.onSpinWait();
      }
    }
    if (answer == null) {
      throw call.failure("connection refused");
    }
    var review =
        JsonObject.of(
            "kind",
            "AdmissionReview",
            "apiVersion",
            "admission.k8s.io/v1",
            "response",
            answer.apply(request).with("uid", request.string("uid")));
    return new WebhookResponse(200, "application/json", JsonWriter.bytes(review));
  }

  /** A webhook for ConfigMaps that allows whatever it is asked. */
  private JsonObject hook(String name, String more) {
    answers.put("/" + name, request -> JsonObject.of("allowed", true));
    var hook =
        json(
            """
            {'name':'%s','clientConfig':{'url':'https://127.0.0.1/%s'},'sideEffects':'None',
             'admissionReviewVersions':['v1'],'failurePolicy':'Fail','matchPolicy':'Equivalent',
             'timeoutSeconds':10,'rules':[{'operations':['*'],'apiGroups':[''],
             'apiVersions':['v1'],'resources':['configmaps'],'scope':'*'}]}
            """
                .formatted(name, name));
    var changes = json(more);
    for (int i = 0; i < changes.size(); i++) {
      hook = hook.with(changes.key(i), changes.value(i));
    }
    return hook;
  }

  @Test
  void webhooksAreShownTheUserOfTheirName() {
    for (var client :
        List.of(
            "'url':'https://127.0.0.1/a'",
            "'url':'https://elsewhere.example:8443/a'",
            "'service':{'namespace':'ns','name':'hook','path':'/a'}",
            "'service':{'namespace':'ns','name':'hook','path':'/a','port':8443}")) {
      configure(MUTATING, "m", hook("a", "{'clientConfig':{" + client + "}}"));
      created(configMap(""));
    }
    assertThat(shown).containsExactly("exact", "others", "services", "others");
  }

  private void configure(String collection, String name, JsonObject... hooks) {
    cluster.put(
        collection,
        JsonObject.of("metadata", JsonObject.of("name", name), "webhooks", JsonArray.of(hooks)));
  }

  private static JsonObject configMap(String more) {
    return json(
        "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c','namespace':'ns'%s}}"
            .formatted(more));
  }

  private JsonObject created(JsonObject object) {
    return chain.admit(requests.create(CONFIG_MAPS, object));
  }

  private void validated(JsonObject object) {
    chain.validate(requests.create(CONFIG_MAPS, object));
  }

  /** An answer that appends a letter to a label. */
  private static Function<JsonObject, JsonObject> appends(String letter) {
    return request -> {
      var labels = request.object("object", "metadata", "labels");
      var patch =
          "[{'op':'add','path':'/metadata/labels','value':{'marks':'%s'}}]"
              .formatted(labels.string("marks") + letter);
      return patched(patch);
    };
  }

  private static JsonObject patched(String patch) {
    var bytes = patch.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return JsonObject.of(
        "allowed",
        true,
        "patchType",
        "JSONPatch",
        "patch",
        Base64.getEncoder().encodeToString(bytes));
  }

  private static String marks(JsonObject object) {
    return object.object("metadata", "labels").string("marks");
  }

  @Test
  void configurationsAreAskedByNameAndTheirHooksInOrder() {
    configure(MUTATING, "b", hook("b1", "{}"));
    configure(MUTATING, "a", hook("a2", "{}"), hook("a1", "{}"));
    created(configMap(""));
    assertThat(calls).containsExactly("/a2", "/a1", "/b1");
  }

  @Test
  void whoIsAskedSeesWhatThoseBeforeHaveChanged() {
    configure(MUTATING, "a", hook("one", "{}"), hook("two", "{}"));
    answers.put("/one", appends("1"));
    answers.put("/two", appends("2"));
    assertThat(marks(created(configMap("")))).isEqualTo("12");
  }

  @Test
  void whoWantsItIsAskedOnceMoreAfterALaterChangeAndNeverAThirdTime() {
    configure(
        MUTATING,
        "a",
        hook("one", "{'reinvocationPolicy':'IfNeeded'}"),
        hook("two", "{'reinvocationPolicy':'IfNeeded'}"),
        hook("three", "{}"));
    answers.put("/one", appends("1"));
    answers.put("/two", appends("2"));
    assertThat(marks(created(configMap("")))).isEqualTo("1212");
    assertThat(calls).containsExactly("/one", "/two", "/three", "/one", "/two");
  }

  @Test
  void nobodyIsAskedAgainWhenNothingHasChanged() {
    configure(MUTATING, "a", hook("one", "{'reinvocationPolicy':'IfNeeded'}"), hook("two", "{}"));
    created(configMap(""));
    assertThat(calls).containsExactly("/one", "/two");
  }

  @Test
  void selectorsLookAtTheNamespaceAndAtTheObjectAsItIsOrWas() {
    configure(
        VALIDATING,
        "a",
        hook("blue", "{'namespaceSelector':{'matchLabels':{'team':'blue'}}}"),
        hook("red", "{'namespaceSelector':{'matchLabels':{'team':'red'}}}"),
        hook("web", "{'objectSelector':{'matchLabels':{'app':'web'}}}"));
    validated(configMap(""));
    assertThat(calls).containsExactly("/blue");
    calls.clear();
    chain.validate(
        requests.update(CONFIG_MAPS, configMap(""), configMap(",'labels':{'app':'web'}")));
    assertThat(calls).containsExactlyInAnyOrder("/blue", "/web");
  }

  @Test
  void aRuleForAnotherVersionGetsTheObjectInThatVersion() {
    var rules =
        "{'rules':[{'operations':['CREATE'],'apiGroups':['autoscaling'],'apiVersions':['v1'],"
            + "'resources':['horizontalpodautoscalers'],'scope':'*'}]%s}";
    configure(
        VALIDATING,
        "a",
        hook("equivalent", rules.formatted("")),
        hook("exact", rules.formatted(",'matchPolicy':'Exact'")));
    var type = Requests.type("autoscaling/v2", "HorizontalPodAutoscaler", "");
    chain.validate(
        requests.create(
            type,
            json(
                """
                {'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler',
                 'metadata':{'name':'h','namespace':'ns'},
                 'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment','name':'d'}}}
                """)));
    assertThat(calls).containsExactly("/equivalent");
    var review = reviews.getFirst();
    assertThat(review.object("object").string("apiVersion")).isEqualTo("autoscaling/v1");
    assertThat(review.object("kind").string("version")).isEqualTo("v1");
    assertThat(review.object("requestKind").string("version")).isEqualTo("v2");
  }

  @Test
  void conditionsThatAreNotMetLeaveAWebhookOutWhateverElseFails() {
    var broken = "{'name':'x','expression':'object.data.none == 1'}";
    configure(
        VALIDATING,
        "a",
        hook("left-out", "{'matchConditions':[" + broken + ",{'name':'y','expression':'false'}]}"),
        hook(
            "met",
            "{'matchConditions':[{'name':'y','expression':"
                + "'!request.dryRun && oldObject == null && has(object.metadata)'}]}"));
    validated(configMap(""));
    assertThat(calls).containsExactly("/met");

    configure(VALIDATING, "a", hook("broken", "{'matchConditions':[" + broken + "]}"));
    assertThatThrownBy(() -> validated(configMap("")))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> {
              assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
              assertThat(refusal.text())
                  .isEqualTo(
                      "configmaps \"c\" is forbidden: expression 'object.data.none == 1' resulted"
                          + " in error: no such key: data");
            });
  }

  @Test
  void failuresAreLeftToThePolicyAndDenialsAreNot() {
    configure(VALIDATING, "a", hook("gone", "{'failurePolicy':'Ignore'}"));
    answers.remove("/gone");
    validated(configMap(""));
    assertThat(calls).containsExactly("/gone");

    answers.put(
        "/gone", request -> json("{'allowed':false,'status':{'message':'no','reason':'Mine'}}"));
    assertThatThrownBy(() -> validated(configMap("")))
        .isInstanceOfSatisfying(
            ApiException.class,
            denial -> {
              assertThat(denial.code()).isEqualTo(400);
              assertThat(denial.reasonText()).isEqualTo("Mine");
              assertThat(denial.text())
                  .isEqualTo("admission webhook \"gone\" denied the request: no");
            });

    configure(VALIDATING, "a", hook("gone", "{}"));
    answers.remove("/gone");
    assertThatThrownBy(() -> validated(configMap("")))
        .hasMessage(
            "Internal error occurred: failed calling webhook \"gone\": failed to call webhook: Post"
                + " \"https://127.0.0.1/gone?timeout=10s\": connection refused");
  }

  @Test
  void aRequestWhoseOwnTimeRunsOutIsTooLateWhateverThePolicy() {
    requests.within(Duration.ofMillis(50));
    for (var policy : List.of("Fail", "Ignore")) {
      var never = hook("never", "{'failurePolicy':'%s'}".formatted(policy));
      answers.remove("/never");
      hangs.add("/never");
      configure(MUTATING, "a", never);
      tooLate(() -> created(configMap("")));
      configure(MUTATING, "a");
      configure(VALIDATING, "a", never);
      tooLate(() -> validated(configMap("")));
    }
    assertThat(calls).hasSize(4);
  }

  private static void tooLate(ThrowingCallable request) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            ApiException.class,
            answer -> {
              assertThat(answer.code()).isEqualTo(504);
              assertThat(answer.text())
                  .startsWith("Timeout: request did not complete within requested timeout");
            });
  }

  @Test
  void patchesThatDoNotApplyFailTheRequestWhateverThePolicy() {
    configure(MUTATING, "a", hook("one", "{'failurePolicy':'Ignore'}"));
    answers.put("/one", request -> patched("[{'op':'remove','path':'/data/none'}]"));
    assertThatThrownBy(() -> created(configMap("")))
        .hasMessage(
            "Internal error occurred: remove operation does not apply: doc is missing path:"
                + " \"/data/none\": missing value");
    answers.put("/one", request -> patched("[{'op':'remove','path':'/none'}]"));
    assertThatThrownBy(() -> created(configMap("")))
        .hasMessage(
            "Internal error occurred: error in remove for path: '/none': Unable to remove"
                + " nonexistent key: none: missing value");
    answers.put("/one", request -> patched("[{'op':'add','path':'/data','value':'text'}]"));
    assertThatThrownBy(() -> created(configMap("")))
        .hasMessage(
            "Internal error occurred: json: cannot unmarshal string into Go struct field"
                + " ConfigMap.data of type map[string]string");
  }

  @Test
  void theConfigurationsThemselvesAreNotSent() {
    var any =
        "{'rules':[{'operations':['*'],'apiGroups':['*'],'apiVersions':['*'],"
            + "'resources':['*/*'],'scope':'*'}]}";
    configure(MUTATING, "a", hook("all", any));
    configure(VALIDATING, "a", hook("all", any));
    var type =
        Requests.type("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "");
    var request = requests.create(type, json("{'metadata':{'name':'x'}}"));
    chain.admit(request);
    chain.validate(request);
    assertThat(calls).isEmpty();
  }

  @Test
  void warningsOfAllAreKeptInOrderAlsoWithADenial() {
    configure(VALIDATING, "a", hook("one", "{}"), hook("two", "{}"));
    answers.put("/one", request -> json("{'allowed':false,'warnings':['first']}"));
    answers.put("/two", request -> json("{'allowed':true,'warnings':['second']}"));
    assertThatThrownBy(() -> validated(configMap("")))
        .hasMessage("admission webhook \"one\" denied the request without explanation");
    assertThat(requests.warnings).containsExactly("first", "second");
  }
}
