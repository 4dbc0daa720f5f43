package dev.muster.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the most recently parsed expressions. Many definitions and policies contain the same
 * expression, such as {@code self == oldSelf}, and each expression is parsed both when it is
 * written and when it is first used. Thread-safe.
 */
final class ParsedExpressions {
  private static final int MOST = 256;
  private static final int LONGEST = 500;

  private final Map<String, CelAbstractSyntaxTree> trees =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, CelAbstractSyntaxTree> eldest) {
          return size() > MOST;
        }
      };

  synchronized @Nullable CelAbstractSyntaxTree find(String expression) {
    return trees.get(expression);
  }

  synchronized void remember(String expression, CelAbstractSyntaxTree tree) {
    if (expression.length() <= LONGEST) {
      trees.put(expression, tree);
    }
  }
}
