package dev.muster.controllers.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GraphTest {
  private final AbsentOwners absent = new AbsentOwners();
  private final Graph graph = new Graph(absent);

  @Test
  void anOwnerThatNobodySawIsAskedFor() {
    assertThat(graph.observe(object("ns", "child", blocking("parent"))))
        .containsExactly(delete("parent"));
    assertThat(graph.check("parent").orElseThrow().virtual()).isTrue();
    assertThat(graph.observe(object("ns", "parent"))).isEmpty();
    assertThat(graph.check("parent").orElseThrow().virtual()).isFalse();
  }

  @Test
  void dependentsAreLookedAtWhenTheirOwnerGoes() {
    graph.observe(object("ns", "parent"));
    graph.observe(object("ns", "a", blocking("parent")));
    graph.observe(object("ns", "b", loose("parent")));
    assertThat(graph.forget(reference("ns", "parent")))
        .containsExactlyInAnyOrder(delete("a"), delete("b"));
    assertThat(absent.contains(reference("ns", "parent"))).isTrue();
  }

  @Test
  void anOwnerInTheForegroundIsLookedAtWhenItsLastBlockingDependentGoes() {
    graph.observe(object("ns", "parent"));
    for (var child : List.of("a", "b")) {
      graph.observe(object("ns", child, blocking("parent")));
    }
    graph.observe(object("ns", "c", loose("parent")));
    assertThat(graph.observe(foreground(object("ns", "parent"))))
        .containsExactlyInAnyOrder(delete("a"), delete("b"), delete("c"), delete("parent"));
    assertThat(graph.check("parent").orElseThrow().blocking()).isEqualTo(2);
    assertThat(graph.forget(reference("ns", "a"))).isEmpty();
    assertThat(graph.observe(object("ns", "b", loose("parent")))).containsExactly(delete("parent"));
    assertThat(graph.check("parent").orElseThrow().dependents()).isEqualTo(2);
  }

  @Test
  void aDependentThatComesDuringAForegroundDeletionIsLookedAt() {
    graph.observe(foreground(object("ns", "parent")));
    assertThat(graph.observe(object("ns", "late", blocking("parent"))))
        .containsExactly(delete("late"));
  }

  @Test
  void aForegroundDeletionThatIsAskedForAgainIsLookedAtAgain() {
    var held = new ObjectMetadata(reference("ns", "held"), List.of(), true, false, false);
    assertThat(graph.observe(foreground(held))).containsExactly(delete("held"));
    assertThat(graph.observe(held)).isEmpty();
    assertThat(graph.observe(foreground(held))).containsExactly(delete("held"));
  }

  @Test
  void orphaningBeginsOnceAndWinsOverTheForeground() {
    graph.observe(object("ns", "child", blocking("parent")));
    var orphaning = new ObjectMetadata(reference("ns", "parent"), List.of(), true, true, true);
    assertThat(graph.observe(orphaning)).containsExactly(new GraphEffect.AttemptToOrphan("parent"));
    assertThat(graph.observe(orphaning)).isEmpty();
    assertThat(graph.dependents("parent")).containsExactly(reference("ns", "child"));
  }

  @Test
  void anOwnerInAnotherNamespaceIsReportedWhicheverComesFirst() {
    graph.observe(object("one", "parent"));
    var child = object("two", "child", blocking("parent"));
    var report =
        new GraphEffect.ReportInvalidNamespace(child.reference(), child.owners().getFirst());
    assertThat(graph.observe(child)).containsExactly(report, delete("child"));
    var other = new Graph(absent);
    other.observe(child);
    assertThat(other.observe(object("one", "parent"))).containsExactly(report, delete("child"));
  }

  @Test
  void anOwnerOfTheClusterMayBeNamedFromEverywhere() {
    graph.observe(object("one", "a", blocking("parent")));
    graph.observe(object("two", "b", blocking("parent")));
    assertThat(graph.observe(object("", "parent"))).isEmpty();
    assertThat(graph.observe(object("three", "c", blocking("parent")))).isEmpty();
  }

  @Test
  void placesOnWhichDependentsDisagreeAreTriedInTurn() {
    graph.observe(object("one", "a", blocking("parent")));
    assertThat(graph.observe(object("two", "b", blocking("parent")))).containsExactly(delete("b"));
    assertThat(graph.findAbsent(reference("one", "parent"))).containsExactly(delete("a"));
    assertThat(graph.check("parent").orElseThrow().identity())
        .isEqualTo(reference("two", "parent"));
    graph.forget(reference("one", "a"));
    assertThat(graph.findAbsent(reference("two", "parent"))).containsExactly(delete("b"));
    assertThat(graph.check("parent")).isEmpty();
  }

  @Test
  void whatWasObservedIsNotForgottenBecauseItIsAbsentElsewhere() {
    graph.observe(object("one", "parent"));
    graph.observe(object("two", "child", blocking("parent")));
    assertThat(graph.findAbsent(reference("two", "parent"))).containsExactly(delete("child"));
    assertThat(graph.check("parent")).isPresent();
  }

  @Test
  void aVirtualOwnerWithoutDependentsIsNotRemembered() {
    graph.observe(object("ns", "child", blocking("parent")));
    graph.observe(object("ns", "child"));
    assertThat(graph.check("parent")).isEmpty();
    assertThat(graph.size()).isEqualTo(1);
  }

  @Test
  void ofATypeThatIsServedNoMoreOnlyOwnersAreRemembered() {
    graph.observe(object("ns", "parent"));
    graph.observe(object("ns", "child", blocking("parent")));
    graph.observe(object("ns", "alone"));
    assertThat(graph.lose(reference("ns", "alone"))).isEmpty();
    assertThat(graph.lose(reference("ns", "parent"))).containsExactly(delete("parent"));
    assertThat(graph.check("alone")).isEmpty();
    assertThat(graph.check("parent").orElseThrow().virtual()).isTrue();
  }

  @Test
  void hundredThousandDependentsGoWithoutLookingAtTheirOwnerEachTime() {
    graph.observe(object("ns", "parent"));
    var children = new ArrayList<ObjectReference>();
    for (int i = 0; i < 100_000; i++) {
      var child = object("ns", "child-" + i, blocking("parent"));
      graph.observe(child);
      children.add(child.reference());
    }
    assertThat(graph.observe(foreground(object("ns", "parent")))).hasSize(100_001);
    var effects = new ArrayList<GraphEffect>();
    children.forEach(child -> effects.addAll(graph.forget(child)));
    assertThat(effects).containsExactly(delete("parent"));
    assertThat(graph.size()).isEqualTo(1);
  }

  private static GraphEffect delete(String uid) {
    return new GraphEffect.AttemptToDelete(uid);
  }

  private static ObjectReference reference(String namespace, String name) {
    return new ObjectReference("v1", "ConfigMap", namespace, name, name);
  }

  private static OwnerReference blocking(String owner) {
    return new OwnerReference("v1", "ConfigMap", owner, owner, true);
  }

  private static OwnerReference loose(String owner) {
    return new OwnerReference("v1", "ConfigMap", owner, owner, false);
  }

  private static ObjectMetadata object(String namespace, String name, OwnerReference... owners) {
    return new ObjectMetadata(reference(namespace, name), List.of(owners), false, false, false);
  }

  private static ObjectMetadata foreground(ObjectMetadata object) {
    return new ObjectMetadata(object.reference(), object.owners(), true, false, true);
  }
}
