package dev.muster.registry.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.custom.CustomTypes;
import dev.muster.registry.custom.WebhookConversion;
import dev.muster.replica.Replica;
import dev.muster.replica.ReplicaOptions;
import dev.muster.store.CommitResult;
import dev.muster.store.MemoryStore;
import dev.muster.store.Operation;
import dev.muster.store.Transaction;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.options.ListOptions;
import dev.muster.types.options.Query;
import dev.muster.wire.JsonWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which objects a list has, page by page. */
class ListPageTest {
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final ServedType PODS = Objects.requireNonNull(TYPES.find("", "v1", "pods"));

  private final MemoryStore store = new MemoryStore();
  private final Replica replica =
      Replica.start(
          store, TYPES, new CustomTypes(WebhookConversion.UNAVAILABLE), ReplicaOptions.defaults());

  @BeforeEach
  void somePods() {
    put("one", "a", "web", "node1");
    put("one", "b", "api", "node2");
    put("one", "c", "web", "node2");
    put("two", "a", "web", "node1");
  }

  @AfterEach
  void close() {
    replica.close();
    store.close();
  }

  private void put(String namespace, String name, String app, String node) {
    var metadata =
        JsonObject.of("name", name, "namespace", namespace, "labels", JsonObject.of("app", app));
    var pod =
        JsonObject.of("apiVersion", "v1", "kind", "Pod", "metadata", metadata)
            .with("spec", JsonObject.of("nodeName", node));
    var key = "/pods/" + namespace + "/" + name;
    var operation = new Operation.Put(key, JsonWriter.bytes(pod), Operation.ANY);
    if (!(store.commit(Transaction.of(operation)).join()
        instanceof CommitResult.Committed committed)) {
      throw new AssertionError("not committed");
    }
    replica.applied(committed.revision()).orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static ListOptions options(String query) {
    return ListOptions.parse(Query.parse(query), false);
  }

  private ListPage page(String namespace, String query) {
    var options = options(query);
    var snapshot = new SnapshotSelector(replica).forList(options, PODS.storage()).join();
    return ListPage.of(snapshot, PODS, Selection.of(PODS, namespace, "", options), options);
  }

  private static List<String> names(ListPage page) {
    var names = new ArrayList<String>();
    page.objects().forEach(object -> names.add(object.name().toString()));
    return names;
  }

  @Test
  void aNamespaceLabelsAndFieldsNarrowTogether() {
    assertThat(names(page("", ""))).containsExactly("one/a", "one/b", "one/c", "two/a");
    assertThat(names(page("one", ""))).containsExactly("one/a", "one/b", "one/c");
    assertThat(names(page("", "labelSelector=app%3Dweb")))
        .containsExactly("one/a", "one/c", "two/a");
    assertThat(names(page("", "fieldSelector=spec.nodeName%3Dnode2")))
        .containsExactly("one/b", "one/c");
    assertThat(names(page("one", "labelSelector=app%3Dweb&fieldSelector=spec.nodeName%3Dnode2")))
        .containsExactly("one/c");
    assertThat(names(page("", "labelSelector=app%21%3Dweb"))).containsExactly("one/b");
    assertThat(names(page("", "fieldSelector=metadata.namespace%3Dtwo"))).containsExactly("two/a");
    assertThat(names(page("one", "fieldSelector=metadata.name%3Da"))).containsExactly("one/a");
    assertThat(names(page("one", "fieldSelector=metadata.namespace%3Dtwo"))).isEmpty();
  }

  @Test
  void pagesFollowOneAnotherAtTheRevisionOfTheFirst() {
    var first = page("", "limit=3");
    assertThat(names(first)).containsExactly("one/a", "one/b", "one/c");
    assertThat(first.remaining()).hasValue(1);
    assertThat(first.continueToken()).isNotEmpty();

    put("two", "b", "web", "node1");
    var token = URLEncoder.encode(first.continueToken(), StandardCharsets.UTF_8);
    var second = page("", "limit=3&continue=" + token);
    assertThat(names(second)).containsExactly("two/a");
    assertThat(second.revision()).isEqualTo(first.revision());
    assertThat(second.continueToken()).isEmpty();
  }

  @Test
  void nobodyCountsWhatASelectorLeavesOut() {
    var page = page("", "limit=1&labelSelector=app%3Dweb");
    assertThat(names(page)).containsExactly("one/a");
    assertThat(page.remaining()).isEmpty();
    assertThat(page.continueToken()).isNotEmpty();
  }

  @Test
  void thePageThatIsJustFullIsTheLast() {
    var page = page("one", "limit=3");
    assertThat(names(page)).hasSize(3);
    assertThat(page.continueToken()).isEmpty();
    assertThat(page.remaining()).isEmpty();
  }

  @Test
  void whateverIsThereHasNoPages() {
    assertThat(names(page("", "limit=1&resourceVersion=0"))).hasSize(4);
  }

  @Test
  void aNameThatIsAskedForMustBeTheSelectorsToo() {
    var named = options("fieldSelector=metadata.name%3Da");
    assertThat(Selection.of(PODS, "one", "a", named).selectsEverything()).isFalse();
    assertThatThrownBy(() -> Selection.of(PODS, "one", "b", named))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("fieldSelector metadata.name doesn't match requested name");
  }

  @Test
  void unknownFieldsAndBrokenSelectorsAreBadRequests() {
    assertThatThrownBy(() -> page("", "fieldSelector=spec.unknown%3Da"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("field label not supported: spec.unknown");
    assertThatThrownBy(() -> page("", "labelSelector=app%3D%3D%3D"))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void aContinueTokenAndAResourceVersionExcludeOneAnother() {
    var token = URLEncoder.encode(page("", "limit=1").continueToken(), StandardCharsets.UTF_8);
    assertThatThrownBy(() -> page("", "limit=1&resourceVersion=1&continue=" + token))
        .hasMessageContaining("specifying resource version is not allowed when using continue");
  }
}
