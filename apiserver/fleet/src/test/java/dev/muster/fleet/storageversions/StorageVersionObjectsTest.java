package dev.muster.fleet.storageversions;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.fleet.TestServer;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Reinvocation;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.store.MemoryStore;
import dev.muster.types.ServedType;
import dev.muster.types.SnapshotView;
import dev.muster.types.Types;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StorageVersionObjectsTest {
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final User SOMEBODY = new User("somebody", "", List.of(), Map.of());

  private final MemoryStore store = new MemoryStore();
  private final TestServer server = new TestServer(store, Clock.systemUTC());
  private final StorageVersionObjects objects =
      new StorageVersionObjects(server.objects(), Clock.systemUTC());

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private static StorageEntry entry(String encoding) {
    return new StorageEntry(
        "apps.deployments", "/deployments", encoding, Set.of(encoding), Set.of(encoding));
  }

  private JsonObject stored() {
    return requireNonNull(
        server.objects().readLatest(StorageVersionObjects.RESOURCE, "", "apps.deployments"));
  }

  private static String condition(JsonObject object) {
    return object.object("status").array("conditions").objects().getFirst().string("status");
  }

  @Test
  void whatAllSayIsTheCommonVersion() {
    objects.put("apps.deployments", entry("apps/v1").json("a"));
    objects.put("apps.deployments", entry("apps/v1").json("b"));
    assertThat(stored().object("status").string("commonEncodingVersion")).isEqualTo("apps/v1");
    assertThat(condition(stored())).isEqualTo("True");
    objects.put("apps.deployments", entry("apps/v2").json("b"));
    assertThat(stored().object("status").has("commonEncodingVersion")).isFalse();
    assertThat(condition(stored())).isEqualTo("False");
    objects.remove("apps.deployments", "a");
    assertThat(stored().object("status").string("commonEncodingVersion")).isEqualTo("apps/v2");
    objects.remove("apps.deployments", "b");
    assertThat(stored().object("status").array("storageVersions").isEmpty()).isTrue();
  }

  @Test
  void anEntryThatIsThereIsNotWrittenAgain() {
    objects.put("apps.deployments", entry("apps/v1").json("a"));
    var before = stored();
    objects.put("apps.deployments", entry("apps/v1").json("a"));
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void everyStoredResourceHasOneEntryAndEventsOfBothGroupsShareTheirs() {
    var entries =
        StorageEntry.of(TYPES).stream().collect(Collectors.toMap(StorageEntry::name, each -> each));
    var events = requireNonNull(entries.get("core.events"));
    assertThat(events.encoding()).isEqualTo("v1");
    assertThat(events.served()).containsExactlyInAnyOrder("v1", "events.k8s.io/v1");
    assertThat(requireNonNull(entries.get("autoscaling.horizontalpodautoscalers")).decodable())
        .contains("autoscaling/v1", "autoscaling/v2");
    assertThat(entries)
        .containsKeys(
            "core.pods", "apps.deployments", "apiextensions.k8s.io.customresourcedefinitions")
        .doesNotContainKeys("authorization.k8s.io.subjectaccessreviews", "events.k8s.io.events")
        .doesNotContainKey("internal.apiserver.k8s.io.storageversions");
    assertThat(entries.values())
        .allSatisfy(
            each ->
                assertThat(each.decodable()).contains(each.encoding()).containsAll(each.served()));
  }

  private AdmissionRequest write(ServedType type, String namespace, User user) {
    return new AdmissionRequest(
        AdmissionOperation.CREATE,
        type,
        "",
        namespace,
        "x",
        JsonObject.EMPTY,
        null,
        user,
        false,
        JsonObject.EMPTY,
        new SnapshotView(server.replica().current()),
        Deadline.after(Duration.ofSeconds(1)),
        warning -> {},
        AuditAnnotations.IGNORED,
        new Reinvocation());
  }

  private static ServedType type(String group, String version, String plural) {
    return requireNonNull(TYPES.find(group, version, plural));
  }

  @Test
  void clientsWritesWaitUntilTheirResourceIsToldOf() {
    var barrier = new RegistrationBarrier("kube-apiserver-lease");
    var pods = type("", "v1", "pods");
    barrier.admit(write(pods, "default", SOMEBODY));
    barrier.raise();
    assertThatThrownBy(() -> barrier.admit(write(pods, "default", SOMEBODY)))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.code()).isEqualTo(503))
        .hasMessage(
            "wait for storage version registration to complete for resource: pods, last seen"
                + " error: <nil>");
    barrier.admit(write(pods, "default", User.SERVER));
    var leases = type("coordination.k8s.io", "v1", "leases");
    barrier.admit(write(leases, "kube-system", SOMEBODY));
    barrier.admit(write(leases, "kube-apiserver-lease", SOMEBODY));
    assertThatThrownBy(() -> barrier.admit(write(leases, "default", SOMEBODY)))
        .isInstanceOf(ApiException.class);
    barrier.admit(write(type("authorization.k8s.io", "v1", "subjectaccessreviews"), "", SOMEBODY));
    barrier.pass("/pods");
    barrier.admit(write(pods, "default", SOMEBODY));
    barrier.lower();
    barrier.admit(write(leases, "default", SOMEBODY));
  }
}
