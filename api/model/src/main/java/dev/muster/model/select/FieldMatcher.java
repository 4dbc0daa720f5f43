package dev.muster.model.select;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field selector prepared for many objects: it reads each field once, even when several terms use
 * it. Immutable.
 */
public final class FieldMatcher {
  private static final class Field {
    private final String name;
    private @Nullable String wanted;
    private boolean impossible;
    private @Nullable Set<String> refused;

    Field(String name) {
      this.name = name;
    }

    void add(FieldSelector.Term term) {
      if (!term.equal()) {
        refused = refused == null ? new HashSet<>() : refused;
        refused.add(term.value());
      } else if (wanted == null) {
        wanted = term.value();
      } else {
        impossible |= !wanted.equals(term.value());
      }
    }

    boolean matches(String value) {
      return !impossible
          && (wanted == null || wanted.equals(value))
          && (refused == null || !refused.contains(value));
    }
  }

  /** An array, because every watch has one and most have one field or none. */
  private final Field[] fields;

  public FieldMatcher(FieldSelector selector) {
    var byName = new LinkedHashMap<String, Field>();
    for (var term : selector.terms()) {
      byName.computeIfAbsent(term.field(), Field::new).add(term);
    }
    fields = byName.values().toArray(new Field[0]);
  }

  /** Whether an object matches. The function returns its fields; an absent field counts as "". */
  public boolean matches(Function<String, @Nullable String> values) {
    for (var field : fields) {
      var value = values.apply(field.name);
      if (!field.matches(value == null ? "" : value)) {
        return false;
      }
    }
    return true;
  }
}
