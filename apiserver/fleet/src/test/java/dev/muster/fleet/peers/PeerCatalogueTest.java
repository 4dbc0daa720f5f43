package dev.muster.fleet.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.fleet.peers.PeerCatalogue.Living;
import dev.muster.model.GroupVersion;
import dev.muster.model.GroupVersionResource;
import dev.muster.model.json.JsonObject;
import dev.muster.server.discovery.PeerGroups;
import dev.muster.server.peers.FleetPeer;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeerCatalogueTest {
  private static final GroupVersionResource JOBS = new GroupVersionResource("batch", "v1", "jobs");
  private static final FleetPeer A = new FleetPeer("a", "192.0.2.1", 6443);
  private static final FleetPeer B = new FleetPeer("b", "192.0.2.2", 6443);
  private static final Living LIVING_A = new Living(A, "1");
  private static final Living LIVING_B = new Living(B, "1");

  private final PeerCatalogue catalogue = new PeerCatalogue(() -> "");

  private static PeerDocument document(String group, String version, String resource) {
    var text =
        "{'items':[{'metadata':{'name':'%s'},'versions':[{'version':'%s','resources':[{'resource':'%s'}]}]}]}"
            .formatted(group, version, resource)
            .replace('\'', '"');
    return PeerDocument.of(
        List.of((JsonObject) JsonReader.read(text.getBytes(StandardCharsets.UTF_8))));
  }

  private List<Living> check(int seconds, Living... living) {
    return check(seconds, Set.of("a", "b"), living);
  }

  private List<Living> check(int seconds, Set<String> responding, Living... living) {
    return catalogue.check(List.of(living), responding, Set.of(), Duration.ofSeconds(seconds));
  }

  @Test
  void aServerIsAskedOnceAndThenKnown() {
    assertThat(check(0, LIVING_A)).containsExactly(LIVING_A);
    assertThat(check(1, LIVING_A)).isEmpty();
    catalogue.received(LIVING_A, document("batch", "v1", "jobs"));
    assertThat(catalogue.serving(JOBS)).containsExactly(A);
    assertThat(check(100, LIVING_A)).isEmpty();
  }

  @Test
  void aServerThatMayServeSomethingElseIsAskedAgainAndBelievedUntilThen() {
    check(0, LIVING_A);
    catalogue.received(LIVING_A, document("batch", "v1", "jobs"));
    var other = new Living(A, "2");
    assertThat(check(1, other)).containsExactly(other);
    assertThat(catalogue.serving(JOBS)).containsExactly(A);
    catalogue.received(LIVING_A, document("batch", "v2", "jobs"));
    assertThat(catalogue.serving(JOBS)).containsExactly(A);
    catalogue.received(other, document("batch", "v2", "jobs"));
    assertThat(catalogue.serving(JOBS)).isEmpty();
  }

  @Test
  void aServerThatIsGoneIsForgotten() {
    check(0, LIVING_A);
    catalogue.received(LIVING_A, document("batch", "v1", "jobs"));
    check(1);
    assertThat(catalogue.serving(JOBS)).isEmpty();
    assertThat(catalogue.groups()).isEqualTo(new PeerGroups(List.of()));
  }

  @Test
  void aServerThatDoesNotAnswerIsAskedLaterEachTime() {
    check(0, LIVING_A);
    catalogue.failed(LIVING_A, Duration.ofSeconds(0));
    assertThat(check(0, LIVING_A)).isEmpty();
    assertThat(check(1, LIVING_A)).containsExactly(LIVING_A);
    for (int i = 0; i < 20; i++) {
      catalogue.failed(LIVING_A, Duration.ofSeconds(1));
    }
    assertThat(check(30, LIVING_A)).isEmpty();
    assertThat(check(31, LIVING_A)).containsExactly(LIVING_A);
  }

  @Test
  void aServerWithoutAnAddressIsAskedWhenItHasOne() {
    assertThat(check(0, new Living(new FleetPeer("a", "", 0), "1"))).isEmpty();
    assertThat(check(1, LIVING_A)).containsExactly(LIVING_A);
  }

  @Test
  void whoGivesNoSignOfLifeIsTheLastToBeAsked() {
    check(0, LIVING_A, LIVING_B);
    catalogue.received(LIVING_A, document("batch", "v1", "jobs"));
    catalogue.received(LIVING_B, document("batch", "v1", "jobs"));
    check(1, Set.of("b"), LIVING_A, LIVING_B);
    assertThat(catalogue.serving(JOBS)).containsExactly(B);
    check(2, Set.of(), LIVING_A, LIVING_B);
    assertThat(catalogue.serving(JOBS)).containsExactlyInAnyOrder(A, B);
  }

  @Test
  void whatObjectsOfTheClusterDefineIsNotAskedOfOthers() {
    check(0, LIVING_A);
    catalogue.received(LIVING_A, document("example.com", "v1", "widgets"));
    var widgets = new GroupVersionResource("example.com", "v1", "widgets");
    assertThat(catalogue.serving(widgets)).containsExactly(A);
    catalogue.check(
        List.of(LIVING_A),
        Set.of("a"),
        Set.of(new GroupVersion("example.com", "v1")),
        Duration.ofSeconds(1));
    assertThat(catalogue.serving(widgets)).isEmpty();
    assertThat(catalogue.groups().servers().getFirst().isEmpty()).isTrue();
  }

  @Test
  void anAddressThatCannotBeReadIsNone() {
    assertThat(PeerExtension.peer("a", "[2001:db8::1]:6443"))
        .isEqualTo(new FleetPeer("a", "2001:db8::1", 6443));
    for (var bad : List.of("", ":", "192.0.2.1", "192.0.2.1:0", "192.0.2.1:99999", "a b:1")) {
      assertThat(PeerExtension.peer("a", bad).host()).as(bad).isEmpty();
    }
  }
}
