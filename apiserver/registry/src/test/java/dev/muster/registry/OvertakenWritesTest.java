package dev.muster.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.write.UpdateHandler;
import dev.muster.registry.write.WriteResult;
import dev.muster.store.Operation;
import dev.muster.types.ObjectMeta;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody else is faster, at the worst moment: right before the commit. */
class OvertakenWritesTest {
  private static final String MAPS = "v1/configmaps";
  private static final String KEY = "/configmaps/a/m";

  private final Workbench bench = new Workbench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static byte[] map(String metadata, String data) {
    return ("{'kind':'ConfigMap','apiVersion':'v1','metadata':{'name':'m','namespace':'a',"
            + metadata
            + "'creationTimestamp':'2026-01-01T00:00:00Z'},'data':"
            + data
            + "}")
        .replace('\'', '"')
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Another server writes the object, whatever is there. */
  private void writeElsewhere(String data) {
    bench.commitElsewhere(new Operation.Put(KEY, map("'uid':'u',", data), Operation.ANY));
  }

  private void overtaken(String data) {
    bench.link.beforeNextCommit(() -> writeElsewhere(data));
  }

  private JsonObject data() {
    return bench.stored(MAPS, "m").object("data");
  }

  private WriteResult patch(String type, String body) {
    return bench
        .handlers
        .patches()
        .patch(
            bench.call(MAPS, "m", "", type.contains("apply") ? "fieldManager=m" : ""),
            type,
            Workbench.body(body).bytes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/merge-patch+json|{'data':{'mine':'1'}}",
        "application/strategic-merge-patch+json|{'data':{'mine':'1'}}",
        "application/json-patch+json|[{'op':'add','path':'/data/mine','value':'1'}]",
        "application/apply-patch+yaml|{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'data':{'mine':'1'}}"
      },
      quoteCharacter = '`')
  void aPatchIsAppliedAgainToTheNewerObject(String type, String body) {
    writeElsewhere("{'theirs':'1'}");
    bench.stored(MAPS, "m");
    overtaken("{'theirs':'2'}");
    assertThat(patch(type, body).code()).isEqualTo(200);
    assertThat(data()).isEqualTo(JsonObject.of("mine", "1", "theirs", "2"));
  }

  @Test
  void aPatchThatNamesAVersionIsRefusedWhenThatIsOver() {
    writeElsewhere("{'theirs':'1'}");
    var version = ObjectMeta.resourceVersion(bench.stored(MAPS, "m"));
    overtaken("{'theirs':'2'}");
    var named = "{'metadata':{'resourceVersion':'" + version + "'},'data':{'mine':'1'}}";
    assertThatThrownBy(() -> patch("application/merge-patch+json", named))
        .hasMessageEndingWith(UpdateHandler.MODIFIED);
    assertThat(data()).isEqualTo(JsonObject.of("theirs", "2"));
  }

  @Test
  void anUpdateWithoutAVersionReplacesWhateverIsThere() {
    writeElsewhere("{'theirs':'1'}");
    bench.stored(MAPS, "m");
    overtaken("{'theirs':'2'}");
    bench.put(MAPS, "m", "", "{'metadata':{'name':'m'},'data':{'mine':'1'}}");
    assertThat(data()).isEqualTo(JsonObject.of("mine", "1"));
  }

  @Test
  void whatSomebodyElseCreatedMeanwhileIsChanged() {
    overtaken("{'theirs':'1'}");
    var applied =
        bench.apply(
            MAPS,
            "m",
            "",
            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'data':{'mine':'1'}}");
    assertThat(applied.code()).isEqualTo(200);
    assertThat(data()).isEqualTo(JsonObject.of("mine", "1", "theirs", "1"));
    var lease =
        "{'kind':'Role','apiVersion':'rbac.authorization.k8s.io/v1','metadata':{'name':'r',"
            + "'namespace':'a','uid':'u','creationTimestamp':'2026-01-01T00:00:00Z'}}";
    bench.link.beforeNextCommit(
        () ->
            bench.commitElsewhere(
                new Operation.Put(
                    "/roles/a/r",
                    lease.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                    Operation.ABSENT)));
    var roles = "rbac.authorization.k8s.io/v1/roles";
    var put = bench.put(roles, "r", "", "{'metadata':{'name':'r','labels':{'a':'b'}}}");
    assertThat(put.code()).isEqualTo(200);
    assertThat(ObjectMeta.uid(bench.stored(roles, "r"))).isEqualTo("u");
  }

  @Test
  void whatSomebodyElseCreatedIsNotCreatedAgain() {
    overtaken("{}");
    assertThatThrownBy(() -> bench.create(MAPS, "{'metadata':{'name':'m'}}"))
        .hasMessage("configmaps \"m\" already exists");
  }

  @Test
  void whatSomebodyElseDeletedMeanwhileIsMadeByAnApply() {
    writeElsewhere("{'theirs':'1'}");
    bench.stored(MAPS, "m");
    bench.link.beforeNextCommit(
        () -> bench.commitElsewhere(new Operation.Delete(KEY, Operation.ANY)));
    var configuration = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'}}";
    assertThat(bench.apply(MAPS, "m", "", configuration).code()).isEqualTo(201);
    bench.link.beforeNextCommit(
        () -> bench.commitElsewhere(new Operation.Delete(KEY, Operation.ANY)));
    assertThatThrownBy(() -> bench.patch(MAPS, "m", "", "{'data':{'a':'b'}}"))
        .hasMessage("configmaps \"m\" not found");
  }

  @Test
  void aDeleteDeletesTheNewerObjectUnlessItNamesTheOlder() {
    writeElsewhere("{'theirs':'1'}");
    var version = ObjectMeta.resourceVersion(bench.stored(MAPS, "m"));
    overtaken("{'theirs':'2'}");
    var insisting =
        DeleteOptions.of(
            JsonObject.of("preconditions", JsonObject.of("resourceVersion", version)), Query.NONE);
    assertThatThrownBy(() -> bench.handlers.deletes().delete(bench.call(MAPS, "m", ""), insisting))
        .hasMessageContaining("the ResourceVersion in the precondition");
    overtaken("{'theirs':'3'}");
    bench.handlers.deletes().delete(bench.call(MAPS, "m", ""), DeleteOptions.of(null, Query.NONE));
    assertThat(bench.stored(MAPS, "m")).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void aChangeOfTheServersOwnIsAskedAgain() {
    writeElsewhere("{'count':'1'}");
    bench.stored(MAPS, "m");
    overtaken("{'count':'5'}");
    bench
        .handlers
        .updates()
        .change(
            bench.call(MAPS, "m", ""),
            live ->
                live == null
                    ? null
                    : live.withAt(
                        Json.of("" + (1 + Integer.parseInt(live.object("data").string("count")))),
                        "data",
                        "count"));
    assertThat(data().string("count")).isEqualTo("6");
  }

  @Test
  void aWriteThatAlwaysComesTooLateIsGivenUpAtItsDeadlineAndNotBefore() {
    writeElsewhere("{'theirs':'0'}");
    bench.stored(MAPS, "m");
    bench.patience = Duration.ofMillis(300);
    var others = new int[1];
    var again = new Runnable[1];
    again[0] =
        () -> {
          writeElsewhere("{'theirs':'" + ++others[0] + "'}");
          bench.link.beforeNextCommit(again[0]);
        };
    bench.link.beforeNextCommit(again[0]);
    assertThatThrownBy(() -> patch("application/merge-patch+json", "{'data':{'mine':'1'}}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.reason()).isEqualTo(Reason.TIMEOUT);
              assertThat(refused.code()).isEqualTo(504);
            });
    assertThat(others[0]).isGreaterThan(5);
    assertThat(data().has("mine")).isFalse();
  }

  @Test
  void onlyTheAttemptThatCountsWarns() {
    Admission counting =
        new Admission() {
          private int attempts;

          @Override
          public JsonObject admit(AdmissionRequest request) {
            request.warnings().accept("attempt " + ++attempts);
            return request.mustObject();
          }
        };
    try (var warned = new Workbench(counting)) {
      warned.link.beforeNextCommit(
          () ->
              warned.commitElsewhere(
                  new Operation.Put(KEY, map("'uid':'u',", "{}"), Operation.ABSENT)));
      warned.apply(MAPS, "m", "", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'}}");
      assertThat(warned.warnings).containsExactly("attempt 2");
    }
  }
}
