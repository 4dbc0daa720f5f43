package dev.muster.cli.flags;

import dev.muster.model.Addresses;
import dev.muster.model.Cidr;
import dev.muster.server.options.ServiceOptions.PortRange;
import dev.muster.server.options.Spelled;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How the text of a flag becomes a value of one Java type, and the other way round. */
final class FlagType {
  private final Type type;

  private FlagType(Type type) {
    this.type = type;
  }

  static FlagType of(Type type) {
    return new FlagType(type);
  }

  boolean isBoolean() {
    return type == boolean.class;
  }

  /** The word that stands for the value in the help. */
  String placeholder() {
    if (type instanceof ParameterizedType list) {
      return isMap() ? "key=bool,..." : word(list.getActualTypeArguments()[0]) + ",...";
    }
    return word(type);
  }

  /**
   * The value of a flag that was given these texts, in order: lists and maps take all of them,
   * other types the last.
   */
  @Nullable Object parse(String flag, List<String> texts) {
    if (isMap()) {
      return pairs(flag, texts);
    }
    if (type instanceof ParameterizedType list) {
      if (texts.size() > 1 && isPair(list.getActualTypeArguments()[0])) {
        throw new FlagException(
            "--"
                + flag
                + ": given "
                + texts.size()
                + " times ("
                + String.join(" and ", texts)
                + "); give it once, with a comma between the two of a pair");
      }
      var values = new ArrayList<Object>();
      for (var text : texts) {
        for (var part : text.split(",")) {
          if (!part.isBlank()) {
            values.add(scalar(flag, part.strip(), list.getActualTypeArguments()[0]));
          }
        }
      }
      return values;
    }
    var text = texts.getLast();
    if (text.isEmpty() && (type == String.class || type == Path.class)) {
      return null;
    }
    return scalar(flag, text, type);
  }

  /** The value as a user would write it; "" for nothing. */
  String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Spelled spelled -> spelled.spelling();
      case Duration duration -> GoDuration.text(duration);
      case InetAddress address -> Addresses.text(address);
      case List<?> list -> list.stream().map(this::text).collect(Collectors.joining(","));
      case Map<?, ?> map ->
          new TreeMap<>(map)
              .entrySet().stream()
                  .map(entry -> entry.getKey() + "=" + entry.getValue())
                  .collect(Collectors.joining(","));
      default -> value.toString();
    };
  }

  /** Addresses and ranges come alone or as one of each family: more of them are a mistake. */
  private static boolean isPair(Type element) {
    return element == InetAddress.class || element == Cidr.class;
  }

  private boolean isMap() {
    return type instanceof ParameterizedType generic && generic.getRawType() == Map.class;
  }

  private static Map<String, Boolean> pairs(String flag, List<String> texts) {
    var pairs = new LinkedHashMap<String, Boolean>();
    for (var text : texts) {
      for (var part : text.split(",")) {
        if (part.isBlank()) {
          continue;
        }
        int equals = part.indexOf('=');
        if (equals == 0) {
          throw bad(flag, part.strip(), "is not a key=true or key=false pair");
        }
        var key = equals < 0 ? part.strip() : part.substring(0, equals).strip();
        pairs.put(key, equals < 0 || bool(flag, part.substring(equals + 1).strip()));
      }
    }
    return pairs;
  }

  private static Object scalar(String flag, String text, Type type) {
    try {
      if (type == String.class) {
        return text;
      }
      if (type == boolean.class) {
        return bool(flag, text);
      }
      if (type == int.class || type == Integer.class) {
        return Integer.decode(text);
      }
      if (type == double.class) {
        return Double.valueOf(text);
      }
      if (type == Path.class) {
        return Path.of(text);
      }
      if (type == Duration.class) {
        return GoDuration.parse(text);
      }
      if (type == InetAddress.class) {
        return Addresses.parse(text);
      }
      if (type == Cidr.class) {
        return Cidr.parse(text);
      }
      if (type == PortRange.class) {
        return PortRange.parse(text);
      }
    } catch (NumberFormatException e) {
      throw bad(
          flag,
          text,
          type == int.class || type == Integer.class ? "is not a whole number" : "is not a number");
    } catch (IllegalArgumentException e) {
      throw new FlagException("--" + flag + ": " + e.getMessage(), e);
    }
    return choice(flag, text, type);
  }

  private static Object choice(String flag, String text, Type type) {
    if (!(type instanceof Class<?> choices) || !choices.isEnum()) {
      throw new IllegalStateException("--" + flag + " has a type that no text can give: " + type);
    }
    for (var choice : choices.getEnumConstants()) {
      if (((Spelled) choice).spelling().equals(text)) {
        return choice;
      }
    }
    throw bad(flag, text, "is not one of " + spellings(choices));
  }

  private static String spellings(Class<?> choices) {
    return Arrays.stream(choices.getEnumConstants())
        .map(choice -> ((Spelled) choice).spelling())
        .collect(Collectors.joining(", "));
  }

  /** What Go's ParseBool takes. */
  private static boolean bool(String flag, String text) {
    return switch (text) {
      case "true", "True", "TRUE", "t", "T", "1" -> true;
      case "false", "False", "FALSE", "f", "F", "0" -> false;
      default -> throw bad(flag, text, "is neither true nor false");
    };
  }

  private static FlagException bad(String flag, String text, String problem) {
    return new FlagException("--" + flag + ": \"" + text + "\" " + problem);
  }

  private static String word(Type type) {
    if (type == int.class || type == Integer.class) {
      return "int";
    }
    if (type == double.class) {
      return "number";
    }
    if (type == boolean.class) {
      return "bool";
    }
    if (type == Path.class) {
      return "file";
    }
    if (type == Duration.class) {
      return "duration";
    }
    if (type == InetAddress.class) {
      return "ip";
    }
    if (type == Cidr.class) {
      return "cidr";
    }
    if (type == PortRange.class) {
      return "ports";
    }
    return "string";
  }
}
