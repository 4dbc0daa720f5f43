package dev.muster.cel.run.function;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.EvaluationException;
import dev.muster.model.RegexSize;
import java.util.ArrayList;
import java.util.Set;

/** Functions for regular expressions, which take linear time in the text. */
public final class Patterns {
  private static final Set<String> MATCHING = Set.of("matches", "find", "findAll");

  private Patterns() {}

  public static boolean isMatching(String function) {
    return MATCHING.contains(function);
  }

  /** The function for a constant pattern. */
  public static Function compiled(String function, String pattern) {
    var compiled = compile(pattern, "");
    return values -> apply(function, (String) values[0], compiled, values);
  }

  static Object apply(String function, Object[] values) {
    var prefix = function.equals("matches") ? "" : "Illegal regex: ";
    return apply(function, (String) values[0], compile((String) values[1], prefix), values);
  }

  private static Object apply(String function, String text, Pattern pattern, Object[] values) {
    var matcher = pattern.matcher(text);
    return switch (function) {
      case "matches" -> matcher.find();
      case "find" -> matcher.find() ? matcher.group() : "";
      default -> {
        long most = values.length > 2 ? (Long) values[2] : -1;
        var found = new ArrayList<String>();
        while ((most < 0 || found.size() < most) && matcher.find()) {
          found.add(matcher.group());
        }
        yield CelList.of(found);
      }
    };
  }

  private static Pattern compile(String pattern, String prefix) {
    if (RegexSize.isTooLarge(pattern)) {
      throw new EvaluationException(prefix + "error parsing regexp: " + RegexSize.TOO_LARGE);
    }
    try {
      return Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new EvaluationException(prefix + e.getMessage());
    }
  }
}
