package dev.muster.model.select;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field selector made ready for many objects: asks for each field once, however many terms there
 * are about it. Immutable.
 */
public final class FieldMatcher {
  private static final class Field {
    private @Nullable String wanted;
    private boolean impossible;
    private final Set<String> refused = new HashSet<>();

    void add(FieldSelector.Term term) {
      if (!term.equal()) {
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
          && (refused.isEmpty() || !refused.contains(value));
    }
  }

  private final Map<String, Field> fields = new LinkedHashMap<>();

  public FieldMatcher(FieldSelector selector) {
    for (var term : selector.terms()) {
      fields.computeIfAbsent(term.field(), name -> new Field()).add(term);
    }
  }

  /** Whether an object whose fields the function tells is chosen; an absent one counts as "". */
  public boolean matches(Function<String, @Nullable String> values) {
    for (var entry : fields.entrySet()) {
      var value = values.apply(entry.getKey());
      if (!entry.getValue().matches(value == null ? "" : value)) {
        return false;
      }
    }
    return true;
  }
}
