package dev.muster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.replica.object.RecentTrees;
import dev.muster.replica.object.StoredObject;
import dev.muster.replica.object.WrittenTree;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentTreesTest {
  private static final String STORAGE = "/configmaps";

  private static StoredObject object(String name, long revision) {
    return Samples.stored("a", name, Map.of(), revision);
  }

  private static void write(RecentTrees trees, StoredObject object) {
    trees.remember(STORAGE, object, new WrittenTree(object.tree(), true));
  }

  @Test
  void remembersTheVeryTreeUntilTheObjectIsWrittenAgain() {
    var trees = new RecentTrees(1 << 20);
    var first = object("x", 1);
    var tree = first.tree();
    trees.remember(STORAGE, first, new WrittenTree(tree, true));
    assertThat(first.tree()).isSameAs(tree);

    var second = object("x", 2);
    write(trees, second);
    assertThat(first.written()).isNull();
    assertThat(second.written()).isNotNull();
  }

  @Test
  void anOlderRevisionThatComesLateIsNotRemembered() {
    var trees = new RecentTrees(1 << 20);
    var newer = object("x", 2);
    var older = object("x", 1);
    write(trees, newer);
    write(trees, older);
    assertThat(newer.written()).isNotNull();
    assertThat(older.written()).isNull();
  }

  @Test
  void forgetsWhatWasWrittenLongestAgoWhenThereIsNoRoom() {
    var one = object("x", 1);
    var two = object("y", 2);
    var three = object("z", 3);
    var trees = new RecentTrees(2L * one.json().length);
    write(trees, one);
    write(trees, two);
    write(trees, object("x", 3));
    write(trees, three);
    assertThat(one.written()).isNull();
    assertThat(two.written()).isNull();
    assertThat(three.written()).isNotNull();
  }

  @Test
  void anObjectThatHasNoRoomAtAllIsForgottenAtOnce() {
    var object = object("x", 1);
    write(new RecentTrees(10), object);
    assertThat(object.written()).isNull();
  }
}
