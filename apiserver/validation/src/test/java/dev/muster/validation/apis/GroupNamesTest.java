package dev.muster.validation.apis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupNamesTest {
  private static JsonObject names(String plural, String singular, String kind, String... shorts) {
    var names =
        JsonObject.of(
            "plural", plural, "singular", singular, "kind", kind, "listKind", kind + "List");
    return shorts.length == 0
        ? names
        : names.with("shortNames", JsonArray.ofStrings(List.of(shorts)));
  }

  private static GroupNames.Claim claim(long revision, JsonObject wanted, JsonObject accepted) {
    return new GroupNames.Claim(
        wanted.string("plural") + ".example.com", "example.com", revision, wanted, accepted);
  }

  private static void isAccepted(GroupNames.Decision decision, JsonObject names) {
    assertThat(decision.accepted()).isEqualTo(names);
    assertThat(decision.condition())
        .isEqualTo(
            new DefinitionConditions.Condition(
                "NamesAccepted", "True", "NoConflicts", "no conflicts found"));
  }

  private static void isRefused(GroupNames.Decision decision, String reason, String message) {
    assertThat(decision.condition())
        .isEqualTo(new DefinitionConditions.Condition("NamesAccepted", "False", reason, message));
  }

  @Test
  void namesThatNobodyHasAreGiven() {
    var wanted =
        names("widgets", "widget", "Widget", "w", "wi")
            .with("categories", JsonArray.ofStrings(List.of("all")));
    var claim = claim(1, wanted, JsonObject.EMPTY);
    isAccepted(GroupNames.of(List.of(claim)).of(claim), wanted);
  }

  @Test
  void whatOthersHaveIsRefusedNameByName() {
    var owner = names("widgets", "widget", "Widget", "w", "wi");
    var others = claim(1, owner, owner);
    var late = claim(2, names("gadgets", "widget", "Gadget", "w", "g", "wi"), JsonObject.EMPTY);
    var decision = GroupNames.of(List.of(others, late)).of(late);
    isRefused(
        decision, "ShortNamesConflict", "[\"w\" is already in use, \"wi\" is already in use]");
    assertThat(decision.accepted())
        .isEqualTo(JsonObject.of("plural", "gadgets", "kind", "Gadget", "listKind", "GadgetList"));
  }

  @Test
  void theLastConflictIsTold() {
    var owner = names("widgets", "widget", "Widget");
    var others = claim(1, owner, owner);
    for (var each :
        Map.of(
                "SingularConflict", names("a", "widget", "A"),
                "PluralConflict", names("widget", "b", "B"),
                "KindConflict", names("c", "widget", "WidgetList"),
                "ListKindConflict", names("d", "dd", "X").with("listKind", "Widget"))
            .entrySet()) {
      var claim = claim(2, each.getValue(), JsonObject.EMPTY);
      var condition = GroupNames.of(List.of(others, claim)).of(claim).condition();
      assertThat(condition.reason()).isEqualTo(each.getKey());
      assertThat(condition.message()).endsWith(" is already in use");
    }
  }

  @Test
  void whoWasWrittenFirstGetsTheName() {
    var first = claim(5, names("zebras", "zebra", "Animal"), JsonObject.EMPTY);
    var second = claim(7, names("ants", "ant", "Animal"), JsonObject.EMPTY);
    for (var order : List.of(List.of(first, second), List.of(second, first))) {
      var names = GroupNames.of(order);
      isAccepted(names.of(first), first.wanted());
      isRefused(names.of(second), "ListKindConflict", "\"AnimalList\" is already in use");
      assertThat(names.of(second).accepted())
          .isEqualTo(JsonObject.of("plural", "ants", "singular", "ant"));
    }
  }

  @Test
  void whatADefinitionHasStaysItsOwnUntilSomethingElseIsGivenToIt() {
    var had = names("widgets", "widget", "Widget", "w");
    var renamed = claim(9, names("widgets", "widget", "Widget", "x"), had);
    var waiting = claim(3, names("gadgets", "gadget", "Gadget", "w"), JsonObject.EMPTY);
    var names = GroupNames.of(List.of(renamed, waiting));
    isAccepted(names.of(renamed), renamed.wanted());
    isRefused(names.of(waiting), "ShortNamesConflict", "\"w\" is already in use");
  }

  @Test
  void listsOfNothingAreNothing() {
    var accepted = names("widgets", "widget", "Widget");
    var claim = claim(1, accepted.with("shortNames", JsonArray.EMPTY), accepted);
    assertThat(claim.isPending()).isFalse();
  }

  /**
   * Servers that decide on snapshots of different ages, and write only what they have looked at,
   * never give one name to two definitions; and in the end everybody has what can be had.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void serversThatLagGiveNoNameAwayTwice(long seed) {
    var random = new Random(seed);
    var log = new ArrayList<Map<String, GroupNames.Claim>>();
    log.add(Map.of());
    for (int step = 0; step < 4_000; step++) {
      var now = new HashMap<>(log.getLast());
      long revision = log.size();
      var name = "d" + random.nextInt(6) + ".example.com";
      var present = now.get(name);
      switch (random.nextInt(8)) {
        case 0 -> now.remove(name);
        case 1, 2 ->
            now.put(
                name,
                new GroupNames.Claim(
                    name,
                    "example.com",
                    revision,
                    wanted(name, random),
                    present == null ? JsonObject.EMPTY : present.accepted()));
        default -> {
          // A server decides on what it has, and commits if that is still there.
          var seen = log.get(Math.max(0, log.size() - 1 - random.nextInt(5)));
          var looked = seen.get(name);
          if (looked == null || present == null || looked.revision() != present.revision()) {
            continue;
          }
          var decision = GroupNames.of(seen.values()).of(looked);
          if (decision.accepted().equals(looked.accepted())) {
            continue;
          }
          now.put(
              name,
              new GroupNames.Claim(
                  name, "example.com", revision, looked.wanted(), decision.accepted()));
        }
      }
      log.add(now);
      requireUnique(now);
    }
  }

  private static JsonObject wanted(String name, Random random) {
    var plural = name.substring(0, name.indexOf('.'));
    return names(plural, "s" + random.nextInt(3), "K" + random.nextInt(3), "x" + random.nextInt(4));
  }

  private static void requireUnique(Map<String, GroupNames.Claim> definitions) {
    var resources = new HashSet<String>();
    var kinds = new HashSet<String>();
    for (var claim : definitions.values()) {
      var accepted = claim.accepted();
      var own = new HashSet<String>(accepted.array("shortNames").strings());
      own.add(accepted.string("plural"));
      own.add(accepted.string("singular"));
      own.remove("");
      for (var each : own) {
        assertThat(resources.add(each)).as("%s in %s", each, definitions).isTrue();
      }
      for (var field : List.of("kind", "listKind")) {
        var kind = accepted.string(field);
        assertThat(kind.isEmpty() || kinds.add(kind)).as("%s in %s", kind, definitions).isTrue();
      }
    }
  }
}
