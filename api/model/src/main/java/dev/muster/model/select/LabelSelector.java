package dev.muster.model.select;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.select.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects objects by their labels: all requirements must match. Immutable. The time of {@link
 * #matches} depends on the number of an object's labels, however long the selector is; short
 * selectors do not allocate.
 */
public final class LabelSelector {
  /** Selects every object. */
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of(), false);

  /** Selects no object: the meaning of an absent selector in object form. */
  public static final LabelSelector NOTHING = new LabelSelector(List.of(), true);

  /**
   * Up to this number of requirements, and values of each, {@link #matches} checks them one by one.
   */
  private static final int FEW = 8;

  private final LabelRequirement[] requirements;
  private final boolean nothing;

  /** The merged requirements when there are many of them, or many values. */
  private final @Nullable MergedRequirements merged;

  private LabelSelector(List<LabelRequirement> requirements, boolean nothing) {
    this.requirements = requirements.toArray(new LabelRequirement[0]);
    this.nothing = nothing;
    boolean few =
        requirements.size() <= FEW
            && requirements.stream().allMatch(each -> each.values().size() <= FEW);
    this.merged = few ? null : new MergedRequirements(requirements);
  }

  public static LabelSelector of(List<LabelRequirement> requirements) {
    if (requirements.isEmpty()) {
      return EVERYTHING;
    }
    var sorted = new ArrayList<>(requirements);
    sorted.sort(Comparator.comparing(LabelRequirement::key));
    return new LabelSelector(sorted, false);
  }

  /** A selector that shows its requirements in the given order. */
  public static LabelSelector inOrder(List<LabelRequirement> requirements) {
    return requirements.isEmpty() ? EVERYTHING : new LabelSelector(requirements, false);
  }

  /**
   * Parses the form of a query string, such as {@code app=web,tier in (a,b),!old}.
   *
   * @throws MalformedValueException with kube-apiserver's message
   */
  public static LabelSelector parse(String text) {
    return text.isEmpty() ? EVERYTHING : of(new LabelSelectorParser(text).parse());
  }

  /** Parses a text; an invalid one selects everything. Use it where a wider result does no harm. */
  public static LabelSelector readable(String text) {
    try {
      return parse(text);
    } catch (MalformedValueException e) {
      return EVERYTHING;
    }
  }

  /** Requires equality with every given label; does not validate them. */
  public static LabelSelector ofLabels(JsonObject labels) {
    var found = new ArrayList<LabelRequirement>();
    for (int i = 0; i < labels.size(); i++) {
      var value = labels.value(i).text();
      found.add(
          new LabelRequirement(
              labels.key(i), Operator.EQUALS, List.of(value == null ? "" : value)));
    }
    return of(found);
  }

  /**
   * Converts the object form with {@code matchLabels} and {@code matchExpressions}. Null selects
   * nothing, an empty object everything.
   *
   * @throws MalformedValueException with kube-apiserver's message
   */
  public static LabelSelector ofObject(@Nullable JsonObject selector) {
    if (selector == null) {
      return NOTHING;
    }
    var found = new ArrayList<LabelRequirement>();
    selector
        .object("matchLabels")
        .strings()
        .forEach(
            (key, value) ->
                found.add(LabelRequirement.checked(key, Operator.EQUALS, List.of(value))));
    for (var expression : selector.array("matchExpressions").objects()) {
      var name = expression.string("operator");
      var operator =
          switch (name) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default ->
                throw new MalformedValueException(
                    GoText.quote(name) + " is not a valid label selector operator");
          };
      found.add(
          LabelRequirement.checked(
              expression.string("key"), operator, expression.array("values").strings()));
    }
    return of(found);
  }

  /** Whether an object with these labels matches. */
  public boolean matches(JsonObject labels) {
    if (nothing) {
      return false;
    }
    if (merged != null) {
      return merged.matches(labels.strings());
    }
    for (var requirement : requirements) {
      var value = labels.get(requirement.key());
      if (!requirement.matches(value instanceof JsonString string ? string.value() : null)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an object with these labels matches. */
  public boolean matches(Map<String, String> labels) {
    if (nothing) {
      return false;
    }
    if (merged != null) {
      return merged.matches(labels);
    }
    for (var requirement : requirements) {
      if (!requirement.matches(labels.get(requirement.key()))) {
        return false;
      }
    }
    return true;
  }

  /** Whether every object matches. */
  public boolean isEverything() {
    return requirements.length == 0 && !nothing;
  }

  public boolean isNothing() {
    return nothing;
  }

  /** The requirements ordered by key; empty for {@link #EVERYTHING} and {@link #NOTHING}. */
  public List<LabelRequirement> requirements() {
    return List.of(requirements);
  }

  /** The one value that the label of every selected object must have, or null. */
  public @Nullable String exactValue(String key) {
    for (var requirement : requirements) {
      if (requirement.key().equals(key)) {
        return requirement.isExact() ? requirement.values().getFirst() : null;
      }
    }
    return null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LabelSelector selector
        && selector.nothing == nothing
        && selector.requirements().equals(requirements());
  }

  @Override
  public int hashCode() {
    return requirements().hashCode();
  }

  /** The form of a query string with the requirements ordered by key. */
  @Override
  public String toString() {
    var out = new StringBuilder();
    for (var requirement : requirements) {
      out.append(out.isEmpty() ? "" : ",").append(requirement);
    }
    return out.toString();
  }
}
