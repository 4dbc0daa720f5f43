package dev.muster.registry;

import static dev.muster.registry.Workbench.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import dev.muster.registry.write.WriteResult;
import dev.muster.store.Operation;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Objects that are changed again and again are not checked again and again, but well enough. */
class RepeatedChangesTest {
  private static final String PODS = "v1/pods";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void createPod() {
    bench.create(
        PODS,
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}],"
            + "'activeDeadlineSeconds':100}}");
  }

  private void annotate(String value) {
    bench.patch(PODS, "p", "", "{'metadata':{'annotations':{'a':'" + value + "'}}}");
  }

  @Test
  void theSecondChangeStartsFromTheTreeThatTheFirstOneWrote() {
    createPod();
    annotate("1");
    var spec = bench.stored(PODS, "p").get("spec");
    annotate("2");
    assertThat(bench.stored(PODS, "p").get("spec")).isSameAs(spec);
    assertThat(bench.stored(PODS, "p").object("metadata").object("annotations"))
        .isEqualTo(json("{'a':'2'}"));
  }

  @Test
  void theFirstStatusStartsFromTheTreeThatWasCreated() {
    createPod();
    var spec = bench.stored(PODS, "p").get("spec");
    bench.patch(PODS, "p", "status", "{'status':{'message':'m'}}");
    assertThat(bench.stored(PODS, "p").get("spec")).isSameAs(spec);
  }

  @Test
  void aChangeOfTheSpecIsCheckedAsEver() {
    createPod();
    annotate("1");
    annotate("2");
    assertInvalid(
        () -> bench.patch(PODS, "p", "", "{'spec':{'hostname':'x'}}"),
        "pod updates may not change fields other than");
    assertInvalid(
        () -> bench.patch(PODS, "p", "", "{'spec':{'activeDeadlineSeconds':200}}"),
        "must be less than or equal to previous value");
    assertInvalid(
        () -> bench.patch(PODS, "p", "", "{'metadata':{'labels':{'-':'x'}}}"),
        "metadata.labels: Invalid value");
  }

  @Test
  void whatSomebodyElseWroteIsNotTakenToBeValidBecauseItsStatusWasChangedHere() {
    bench.commit(
        new Operation.Put(
            "/pods/a/p",
            json("{'kind':'Pod','apiVersion':'v1','metadata':{'name':'p','namespace':'a',"
                    + "'uid':'u','creationTimestamp':'2026-01-01T00:00:00Z'},"
                    + "'spec':{'containers':[{'name':'Not a name','image':'i'}]}}")
                .toString()
                .getBytes(StandardCharsets.UTF_8),
            Operation.ABSENT));
    bench.patch(PODS, "p", "status", "{'status':{'message':'m'}}");
    bench.patch(PODS, "p", "status", "{'status':{'message':'n'}}");
    assertInvalid(
        () -> bench.patch(PODS, "p", "", "{'metadata':{'annotations':{'a':'1'}}}"),
        "spec.containers[0].name: Invalid value");
  }

  private static void assertInvalid(Supplier<WriteResult> change, String text) {
    assertThatThrownBy(change::get).isInstanceOf(ApiException.class).hasMessageContaining(text);
  }
}
