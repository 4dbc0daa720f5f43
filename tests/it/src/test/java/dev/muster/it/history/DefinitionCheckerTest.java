package dev.muster.it.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.history.DefinitionChecker.Change;
import dev.muster.it.history.DefinitionChecker.Defined;
import dev.muster.it.history.DefinitionChecker.Removed;
import dev.muster.it.history.DefinitionChecker.Stored;
import dev.muster.it.history.DefinitionChecker.Undefined;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionCheckerTest {
  private static List<String> violations(Change... log) {
    return DefinitionChecker.violations(List.of(log));
  }

  @Test
  void acceptsObjectsOfTheNewestDefinition() {
    assertThat(
            violations(
                new Defined(1, 1, "v1"),
                new Stored(2, "a", 1, "v1"),
                new Defined(3, 2, "v2"),
                new Stored(4, "a", 2, "v2"),
                new Removed(5, "a"),
                new Undefined(6)))
        .isEmpty();
  }

  @Test
  void seesAnObjectOfAnOutdatedDefinition() {
    assertThat(
            violations(
                new Defined(1, 1, "v1"), new Defined(2, 2, "v1"), new Stored(3, "a", 1, "v1")))
        .singleElement()
        .asString()
        .contains("outdated");
  }

  @Test
  void seesAVersionThatIsNotStoredAnyMore() {
    assertThat(violations(new Defined(1, 1, "v2"), new Stored(2, "a", 1, "v1")))
        .singleElement()
        .asString()
        .contains("not stored");
  }

  @Test
  void seesObjectsWithoutADefinition() {
    assertThat(violations(new Defined(1, 1, "v1"), new Undefined(2), new Stored(3, "a", 1, "v1")))
        .singleElement()
        .asString()
        .contains("without a definition");
  }

  @Test
  void seesObjectsThatADefinitionLeavesBehind() {
    assertThat(violations(new Defined(1, 1, "v1"), new Stored(2, "a", 1, "v1"), new Undefined(3)))
        .singleElement()
        .asString()
        .contains("left behind");
  }
}
