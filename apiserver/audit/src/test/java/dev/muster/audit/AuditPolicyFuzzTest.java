package dev.muster.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authorization.Attributes;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A policy says what it seems to say, or is refused: nothing in it is passed over, for what it
 * keeps out of the log is missed only when it is needed. {@code -Dmuster.fuzz.seconds} sets for how
 * long it tries (1), {@code -Dmuster.fuzz.seed} what it tries.
 */
class AuditPolicyFuzzTest {
  private static final long SECONDS = Long.getLong("muster.fuzz.seconds", 1);
  private static final long SEED = Long.getLong("muster.fuzz.seed", 36);
  private static final List<String> LEVELS =
      List.of("None", "Metadata", "Request", "RequestResponse");
  private static final List<String> USERS = List.of("jane", "joe");
  private static final List<String> GROUPS = List.of("dev", "ops");
  private static final List<String> VERBS = List.of("get", "list");
  private static final List<String> NAMESPACES = List.of("a", "");
  private static final List<String> RESOURCES = List.of("pods", "secrets");

  /** How the fields of a rule may be spelled by who means them. */
  private static final List<String> MISSPELT =
      List.of(
          "user", "Users", "usergroups", "verb", "namespace", "resource", "Level", "omitstages");

  private final Random random = new Random(SEED);

  /**
   * @param sound whether there is nothing wrong with it
   */
  private record Made(JsonObject policy, boolean sound) {}

  private <T> T one(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** None, as often as not; an empty list says nothing, too. */
  private List<String> some(List<String> choices) {
    return switch (random.nextInt(4)) {
      case 0 -> List.of(one(choices));
      case 1 -> choices;
      default -> List.of();
    };
  }

  private JsonObject rule() {
    var rule = JsonObject.builder().put("level", one(LEVELS));
    var fields =
        List.of(
            Map.entry("users", USERS),
            Map.entry("userGroups", GROUPS),
            Map.entry("verbs", VERBS),
            Map.entry("namespaces", NAMESPACES));
    for (var field : fields) {
      var chosen = some(field.getValue());
      if (!chosen.isEmpty() || random.nextBoolean()) {
        rule.put(field.getKey(), JsonArray.ofStrings(chosen));
      }
    }
    var resources = some(RESOURCES);
    if (!resources.isEmpty()) {
      rule.put(
          "resources",
          JsonArray.of(
              List.of(JsonObject.of("group", "", "resources", JsonArray.ofStrings(resources)))));
    }
    return rule.build();
  }

  private Made policy() {
    var rules = new ArrayList<Json>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      rules.add(rule());
    }
    boolean sound = random.nextInt(3) > 0;
    if (!sound) {
      int at = random.nextInt(rules.size());
      rules.set(at, spoilt((JsonObject) rules.get(at)));
    }
    return new Made(
        JsonObject.of(
            "apiVersion", "audit.k8s.io/v1", "kind", "Policy", "rules", JsonArray.of(rules)),
        sound);
  }

  private JsonObject spoilt(JsonObject rule) {
    return switch (random.nextInt(5)) {
      case 0 -> rule.with(one(MISSPELT), JsonArray.ofStrings(USERS));
      case 1 -> rule.with("level", one(List.of("none", "NONE", "metadata", "Loud", "0")));
      case 2 -> rule.with(one(List.of("users", "verbs")), one(USERS));
      case 3 -> rule.with("verbs", JsonArray.of(List.of(Json.of(7))));
      default -> rule.without("level");
    };
  }

  private static AuditPolicy read(JsonObject policy) {
    return AuditPolicyReader.read(policy.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aPolicyDecidesAsItIsWrittenOrIsRefused() {
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    for (int tried = 0; System.nanoTime() < end || tried < 500; tried++) {
      var made = policy();
      var shown = "seed %d, try %d: %s".formatted(SEED, tried, made.policy());
      if (!made.sound()) {
        assertThatThrownBy(() -> read(made.policy()))
            .as(shown)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageNotContainingAny("\n", "Exception");
        continue;
      }
      var policy = read(made.policy());
      for (int i = 0; i < 10; i++) {
        var user = new User(one(List.of("jane", "joe", "eve")), "", some(GROUPS), Map.of());
        var attributes =
            Attributes.resource(
                user,
                one(List.of("get", "list", "watch")),
                "",
                "v1",
                one(RESOURCES),
                "",
                one(List.of("a", "b", "")),
                "x");
        boolean known = random.nextBoolean();
        assertThat(policy.decide(attributes, known).level().text())
            .as("%s\n%s, known: %s", shown, attributes, known)
            .isEqualTo(expected(made.policy(), attributes, known));
      }
    }
  }

  /** The level of the first rule all of whose lists that are not empty hold what is asked. */
  private static String expected(JsonObject policy, Attributes asked, boolean known) {
    for (var rule : policy.array("rules").objects()) {
      var resources = new ArrayList<String>();
      for (var entry : rule.array("resources").objects()) {
        resources.addAll(entry.array("resources").strings());
      }
      if (fits(rule, "users", known ? List.of(asked.user().name()) : List.of())
          && fits(rule, "userGroups", known ? asked.user().groups() : List.of())
          && fits(rule, "verbs", List.of(asked.verb()))
          && fits(rule, "namespaces", List.of(asked.namespace()))
          && (resources.isEmpty() || resources.contains(asked.resource()))) {
        return rule.string("level");
      }
    }
    return "None";
  }

  private static boolean fits(JsonObject rule, String field, List<String> values) {
    var wanted = rule.array(field).strings();
    return wanted.isEmpty() || values.stream().anyMatch(wanted::contains);
  }
}
