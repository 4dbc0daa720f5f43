package dev.muster.server.flags;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Normalizes a command line in Go's style to {@code --name=value}. A flag may have one dash or two,
 * and underscores for dashes. Its value may follow after {@code =} or as the next argument. A
 * boolean alone is true. Unknown flags stay unchanged for the parser to reject, and so does
 * everything after a bare {@code --}.
 */
public final class GoArguments {
  /** The kind of a flag, which determines how its value is given. */
  public enum Kind {
    BOOLEAN,
    VALUE
  }

  private GoArguments() {}

  /** The arguments with {@code -x}, {@code -x=value} and {@code -xvalue} as the long flag. */
  public static List<String> longForms(List<String> arguments, Map<String, String> shortForms) {
    if (shortForms.isEmpty()) {
      return arguments;
    }
    var result = new ArrayList<String>();
    for (int i = 0; i < arguments.size(); i++) {
      var argument = arguments.get(i);
      if (argument.equals("--")) {
        result.addAll(arguments.subList(i, arguments.size()));
        break;
      }
      var meant =
          argument.length() > 1 && argument.charAt(0) == '-'
              ? shortForms.get(argument.substring(1, 2))
              : null;
      if (meant == null) {
        result.add(argument);
      } else if (argument.length() == 2) {
        result.add("--" + meant);
      } else {
        result.add("--" + meant + "=" + argument.substring(argument.charAt(2) == '=' ? 3 : 2));
      }
    }
    return result;
  }

  /**
   * @param kinds the kind of flag for a name without dashes; null for unknown flags
   * @throws FlagException when a flag lacks its value
   */
  public static List<String> normalize(
      List<String> arguments, Function<String, @Nullable Kind> kinds) {
    var normal = new ArrayList<String>();
    for (int i = 0; i < arguments.size(); i++) {
      var argument = arguments.get(i);
      if (argument.equals("--")) {
        normal.addAll(arguments.subList(i, arguments.size()));
        break;
      }
      if (!argument.startsWith("-") || argument.equals("-")) {
        normal.add(argument);
        continue;
      }
      int equals = argument.indexOf('=');
      var name = (equals < 0 ? argument : argument.substring(0, equals)).replace('_', '-');
      name = name.substring(name.startsWith("--") ? 2 : 1);
      var kind = kinds.apply(name);
      if (kind == null) {
        normal.add(argument);
      } else if (equals >= 0) {
        normal.add("--" + name + argument.substring(equals));
      } else if (kind == Kind.BOOLEAN) {
        normal.add("--" + name + "=true");
      } else if (i + 1 < arguments.size()) {
        normal.add("--" + name + "=" + arguments.get(++i));
      } else {
        throw new FlagException("--" + name + ": needs a value");
      }
    }
    return normal;
  }
}
