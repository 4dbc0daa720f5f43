package dev.muster.validation.apis;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.replica.object.StoredObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which names the definitions of one group receive. A definition keeps its accepted names.
 * If several definitions want the same name, the one written first receives it. All servers
 * therefore decide alike at the same revision. Two servers at different revisions cannot assign one
 * name twice, as long as each writes only definitions that it has read: a definition missing from a
 * decision was written after it.
 */
public final class GroupNames {
  private static final String IN_USE = " is already in use";

  /**
   * The names of a definition.
   *
   * @param revision the revision that last wrote the definition
   * @param wanted the names in its spec
   * @param accepted the names in its status
   */
  public record Claim(
      String definition, String group, long revision, JsonObject wanted, JsonObject accepted) {
    public static Claim of(JsonObject definition, long revision) {
      return new Claim(
          definition.object("metadata").string("name"),
          definition.object("spec").string("group"),
          revision,
          definition.object("spec").object("names"),
          definition.object("status").object("acceptedNames"));
    }

    /** The names of a stored definition; parses only these parts. */
    public static Claim of(StoredObject definition) {
      return new Claim(
          definition.name().name(),
          definition.text("spec", "group"),
          definition.revision(),
          definition.part("spec", "names"),
          definition.part("status", "acceptedNames"));
    }

    /** Whether the definition lacks some of the names that it wants. */
    public boolean isPending() {
      return !withoutEmpty(wanted).equals(withoutEmpty(accepted));
    }

    private static JsonObject withoutEmpty(JsonObject names) {
      var kept = names;
      for (var list : List.of("shortNames", "categories")) {
        kept = names.array(list).isEmpty() ? kept.without(list) : kept;
      }
      return kept;
    }
  }

  /** The names that a definition receives, and the condition about the others. */
  record Decision(JsonObject accepted, DefinitionConditions.Condition condition) {}

  private final Set<String> resources = new HashSet<>();
  private final Set<String> kinds = new HashSet<>();
  private final Map<String, Decision> decisions = new HashMap<>();

  private GroupNames() {}

  /** Decides the names of all definitions of one group. */
  public static GroupNames of(Collection<Claim> group) {
    var names = new GroupNames();
    group.forEach(claim -> names.take(claim.accepted()));
    group.stream()
        .filter(Claim::isPending)
        .sorted(Comparator.comparingLong(Claim::revision))
        .forEach(names::decide);
    return names;
  }

  private void take(JsonObject names) {
    resources.add(names.string("plural"));
    resources.add(names.string("singular"));
    resources.addAll(names.array("shortNames").strings());
    kinds.add(names.string("kind"));
    kinds.add(names.string("listKind"));
  }

  /** The decision about a definition of the group. */
  Decision of(Claim claim) {
    var decided = decisions.get(claim.definition());
    return decided == null ? new Decision(claim.accepted(), condition("", "")) : decided;
  }

  private void decide(Claim claim) {
    var wanted = claim.wanted();
    var accepted = claim.accepted();
    var reason = "";
    var message = "";
    var given = JsonObject.builder();
    for (var field : List.of("plural", "singular", "shortNames", "kind", "listKind")) {
      var conflict =
          field.equals("shortNames")
              ? shortNames(wanted, accepted)
              : conflict(
                  wanted.string(field),
                  accepted.string(field),
                  field.endsWith("ind") ? kinds : resources);
      if (!conflict.isEmpty()) {
        reason = Character.toUpperCase(field.charAt(0)) + field.substring(1) + "Conflict";
        message = conflict;
      }
      var value = (conflict.isEmpty() ? wanted : accepted).get(field);
      given.putIf(field, value);
    }
    given.putIf("categories", wanted.get("categories"));
    var names = given.build();
    decisions.put(claim.definition(), new Decision(names, condition(reason, message)));
    take(names);
  }

  private static String conflict(String wanted, String own, Set<String> taken) {
    return wanted.equals(own) || !taken.contains(wanted) ? "" : GoText.quote(wanted) + IN_USE;
  }

  private String shortNames(JsonObject wanted, JsonObject accepted) {
    var own = accepted.array("shortNames").strings();
    var conflicts = new ArrayList<String>();
    for (var name : wanted.array("shortNames").strings()) {
      if (!own.contains(name) && resources.contains(name)) {
        var conflict = GoText.quote(name) + IN_USE;
        if (!conflicts.contains(conflict)) {
          conflicts.add(conflict);
        }
      }
    }
    return conflicts.size() > 1
        ? "[" + String.join(", ", conflicts) + "]"
        : String.join("", conflicts);
  }

  private static DefinitionConditions.Condition condition(String reason, String message) {
    return reason.isEmpty()
        ? new DefinitionConditions.Condition(
            "NamesAccepted", "True", "NoConflicts", "no conflicts found")
        : new DefinitionConditions.Condition("NamesAccepted", "False", reason, message);
  }
}
