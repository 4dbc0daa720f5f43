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
 * Which of the names that the definitions of one group ask for they get. Names that a definition
 * has stay its own. Of several that want the same one, the definition that was written first gets
 * it: so every server decides the same at the same revision, and two servers that look at different
 * revisions cannot give one name away twice, as long as each writes only what it has looked at (a
 * definition that was not there when another was decided was written after it).
 */
public final class GroupNames {
  private static final String IN_USE = " is already in use";

  /**
   * A definition and its names.
   *
   * @param revision at which it was written last
   * @param wanted in its spec
   * @param accepted in its status
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

    /** That of a stored definition, of which no more than this is parsed. */
    public static Claim of(StoredObject definition) {
      return new Claim(
          definition.name().name(),
          definition.text("spec", "group"),
          definition.revision(),
          definition.part("spec", "names"),
          definition.part("status", "acceptedNames"));
    }

    /** Whether it has not got all it wants. */
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

  /** What a definition gets, and what stands in the way of the rest. */
  record Decision(JsonObject accepted, DefinitionConditions.Condition condition) {}

  private final Set<String> resources = new HashSet<>();
  private final Set<String> kinds = new HashSet<>();
  private final Map<String, Decision> decisions = new HashMap<>();

  private GroupNames() {}

  /** Decides about all definitions of one group. */
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

  /** What is to be said about a definition of the group. */
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
