package dev.muster.registry;

import static dev.muster.registry.Workbench.body;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.write.WriteResult;
import dev.muster.types.ObjectMeta;
import dev.muster.validation.pods.PodConditions;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EvictionTest {
  private static final String PODS = "v1/pods";
  private static final String BUDGETS = "policy/v1/poddisruptionbudgets";
  private static final String EVICTION = "{'metadata':{'name':'p'}}";

  private final Workbench bench = new Workbench();

  @BeforeEach
  void aRunningPodOnANode() {
    bench.create(
        PODS,
        "{'metadata':{'name':'p','labels':{'fruit':'pear'}},"
            + "'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
    bench.patch(PODS, "p", "status", "{'status':{'phase':'Running'}}");
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private void budget(String name, String spec, String status) {
    bench.create(
        BUDGETS,
        "{'metadata':{'name':'"
            + name
            + "'},'spec':{'selector':{'matchLabels':{'fruit':'pear'}}"
            + spec
            + "}}");
    bench.patch(BUDGETS, name, "status", "{'status':" + status + "}");
  }

  private WriteResult evict(String eviction, String query) {
    var resourceRequest = bench.call(PODS, "p", "eviction", query);
    return bench
        .handlers
        .evictions()
        .evict(
            resourceRequest, body(eviction), Workbench.options(resourceRequest, "CreateOptions"));
  }

  private void ready() {
    bench.patch(
        PODS, "p", "status", "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}");
  }

  private JsonObject pod() {
    return bench.stored(PODS, "p");
  }

  private static String cause(Throwable failure) {
    return ((ApiException) failure).details().causes().getFirst().message();
  }

  @Test
  void aPodWithoutABudgetIsMarkedAndSaysWhy() {
    assertThat(evict(EVICTION, "").code()).isEqualTo(201);
    assertThat(ObjectMeta.isDeleting(pod())).isTrue();
    assertThat(PodConditions.status(pod(), "DisruptionTarget")).isEqualTo("True");
  }

  @Test
  void deleteOptionsDecideHowLongItMayTake() {
    evict("{'metadata':{'name':'p'},'deleteOptions':{'gracePeriodSeconds':0}}", "");
    assertThat(pod()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void optionsAreOnlyLookedAtWhenThePodMayGo() {
    var odd = "{'metadata':{'name':'p'},'deleteOptions':{'propagationPolicy':'Some'}}";
    assertThatThrownBy(() -> evict(odd, "")).hasMessageContaining("propagationPolicy: Unsupported");
    ready();
    budget("b", "", "{'observedGeneration':1,'disruptionsAllowed':0}");
    assertThatThrownBy(() -> evict(odd, "")).hasMessageContaining("disruption budget");
  }

  @Test
  void anotherUidIsAnotherPod() {
    assertThatThrownBy(
            () ->
                evict(
                    "{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{'uid':'u'}}}", ""))
        .hasMessageStartingWith(
            "Operation cannot be fulfilled on Pod \"p\": the UID in the precondition (u) does not"
                + " match the UID in record (");
  }

  @Test
  void aBudgetIsChargedForThePod() {
    budget(
        "b",
        ",'maxUnavailable':1",
        "{'observedGeneration':1,'disruptionsAllowed':1,'currentHealthy':2,'desiredHealthy':1}");
    ready();
    evict(EVICTION, "");
    var status = bench.stored(BUDGETS, "b").object("status");
    assertThat(status.integer("disruptionsAllowed", -1)).isZero();
    assertThat(status.object("disruptedPods").keys()).containsExactly("p");
    assertThat(status.array("conditions").object(0).string("reason")).isEqualTo("InsufficientPods");
    assertThat(ObjectMeta.isDeleting(pod())).isTrue();
  }

  @Test
  void aDryRunChargesNobody() {
    budget(
        "b",
        ",'maxUnavailable':1",
        "{'observedGeneration':1,'disruptionsAllowed':1,'currentHealthy':2,'desiredHealthy':1}");
    ready();
    evict(EVICTION, "dryRun=All");
    assertThat(bench.stored(BUDGETS, "b").object("status").integer("disruptionsAllowed", -1))
        .isEqualTo(1);
    assertThat(ObjectMeta.isDeleting(pod())).isFalse();
  }

  @Test
  void anExhaustedBudgetRefusesAndSaysWhy() {
    budget(
        "b",
        ",'minAvailable':1",
        "{'observedGeneration':1,'disruptionsAllowed':0,'currentHealthy':1,'desiredHealthy':1}");
    ready();
    assertThatThrownBy(() -> evict(EVICTION, ""))
        .hasMessage("Cannot evict pod as it would violate the pod's disruption budget.")
        .satisfies(
            failure ->
                assertThat(cause(failure))
                    .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently"))
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(429));
    assertThat(ObjectMeta.isDeleting(pod())).isFalse();
  }

  @Test
  void aPodThatIsNotReadyGoesWhereEnoughOthersAre() {
    budget(
        "b",
        ",'minAvailable':1",
        "{'observedGeneration':1,'disruptionsAllowed':0,'currentHealthy':1,'desiredHealthy':1}");
    assertThat(evict(EVICTION, "").code()).isEqualTo(201);
    assertThat(bench.stored(BUDGETS, "b").object("status").has("disruptedPods")).isFalse();
  }

  @Test
  void ofAPodThatIsNotReadyNoVersionMatters() {
    budget(
        "b",
        ",'minAvailable':1",
        "{'observedGeneration':1,'disruptionsAllowed':0,'currentHealthy':1,'desiredHealthy':1}");
    assertThatThrownBy(() -> evict(onlyIf("'uid':'u'"), ""))
        .satisfies(
            failure ->
                assertThat(cause(failure))
                    .isEqualTo("The disruption budget b is still being processed by the server."));
    assertThatThrownBy(() -> evict(onlyIf("'uid':'u','resourceVersion':'1'"), ""))
        .hasMessageContaining("the UID in the precondition (u) does not match");
    assertThat(evict(onlyIf("'resourceVersion':'1'"), "").code()).isEqualTo(201);
  }

  private static String onlyIf(String preconditions) {
    return "{'metadata':{'name':'p'},'deleteOptions':{'preconditions':{" + preconditions + "}}}";
  }

  @Test
  void optionsAreCheckedWhenThePodWouldGo() {
    var odd = "{'metadata':{'name':'p'},'deleteOptions':{'propagationPolicy':'Other'}}";
    budget("b", ",'minAvailable':1", "{'observedGeneration':0}");
    ready();
    assertThatThrownBy(() -> evict(odd, "")).hasMessageStartingWith("Cannot evict pod");
    bench.patch(PODS, "p", "status", "{'status':{'phase':'Failed'}}");
    assertThatThrownBy(() -> evict(odd, ""))
        .hasMessageStartingWith(
            "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value:");
  }

  @Test
  void aBudgetThatItsControllerHasNotSeenRefuses() {
    budget("b", ",'minAvailable':1", "{'observedGeneration':0}");
    assertThatThrownBy(() -> evict(EVICTION, ""))
        .satisfies(
            failure ->
                assertThat(cause(failure))
                    .isEqualTo("The disruption budget b is still being processed by the server."))
        .satisfies(
            failure ->
                assertThat(((ApiException) failure).details().retryAfterSeconds()).isEqualTo(10));
  }

  @Test
  void twoBudgetsAreOneTooMany() {
    budget("b", ",'minAvailable':1", "{'observedGeneration':1}");
    budget("c", ",'minAvailable':1", "{'observedGeneration':1}");
    assertThatThrownBy(() -> evict(EVICTION, ""))
        .hasMessageStartingWith("This pod has more than one PodDisruptionBudget")
        .satisfies(failure -> assertThat(((ApiException) failure).code()).isEqualTo(500));
  }

  @Test
  void finishedPodsNeedNoBudget() {
    budget("b", ",'minAvailable':1", "{'observedGeneration':1}");
    bench.patch(PODS, "p", "status", "{'status':{'phase':'Failed'}}");
    assertThat(evict(EVICTION, "").code()).isEqualTo(201);
    assertThat(pod()).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void bodiesOfTheOldVersionAreUnderstood() {
    evict("{'apiVersion':'policy/v1beta1','kind':'Eviction','metadata':{'name':'p'}}", "");
    assertThat(pod().object("metadata").get("deletionGracePeriodSeconds")).isEqualTo(Json.of(30));
  }

  @Test
  void theNameIsTheOneInThePath() {
    assertThatThrownBy(() -> evict("{'metadata':{'name':'q'}}", ""))
        .hasMessage("name in URL does not match name in Eviction object");
  }

  @Test
  void manyAtOnceAreChargedOneByOne() throws InterruptedException {
    budget(
        "b",
        ",'maxUnavailable':3",
        "{'observedGeneration':1,'disruptionsAllowed':3,'currentHealthy':8,'desiredHealthy':5}");
    var evicted = new AtomicInteger();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 8; i++) {
      var name = "p" + i;
      bench.create(
          PODS,
          "{'metadata':{'name':'"
              + name
              + "','labels':{'fruit':'pear'}},"
              + "'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}");
      bench.patch(
          PODS,
          name,
          "status",
          "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}");
      threads.add(Thread.ofVirtual().unstarted(() -> tryToEvict(name, evicted)));
    }
    threads.forEach(Thread::start);
    for (var thread : threads) {
      thread.join();
    }
    var status = bench.stored(BUDGETS, "b").object("status");
    assertThat(evicted).hasValue(3);
    assertThat(status.integer("disruptionsAllowed", -1)).isZero();
    assertThat(status.object("disruptedPods").size()).isEqualTo(3);
  }

  private void tryToEvict(String name, AtomicInteger evicted) {
    var resourceRequest = bench.call(PODS, name, "eviction");
    try {
      bench
          .handlers
          .evictions()
          .evict(
              resourceRequest,
              body("{'metadata':{'name':'" + name + "'}}"),
              Workbench.options(resourceRequest, "CreateOptions"));
      evicted.incrementAndGet();
    } catch (ApiException refused) {
      assertThat(refused.code()).isEqualTo(429);
    }
  }
}
