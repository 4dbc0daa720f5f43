package dev.muster.server.flags;

import dev.muster.model.MalformedValueException;
import dev.muster.model.Spelled;
import dev.muster.model.address.Cidr;
import dev.muster.model.address.Ip;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.server.options.ServiceOptions.PortRange;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.Flag.Form;
import dev.muster.server.options.tls.SniCertKey;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts the text of a flag to a value of one Java type, and back. */
final class FlagType {
  /** Java also parses other texts as numbers, such as {@code 1d}. */
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");

  private final Type type;
  private final Set<Form> forms;

  private FlagType(Type type, Set<Form> forms) {
    this.type = type;
    this.forms = forms;
  }

  /**
   * @param type of the component that the flag sets
   * @param flag names special forms of its texts
   */
  static FlagType of(Type type, Flag flag) {
    return new FlagType(type, Set.of(flag.forms()));
  }

  boolean isBoolean() {
    return type == boolean.class;
  }

  /** The placeholder for the value in the help. */
  String placeholder() {
    if (type instanceof ParameterizedType list) {
      var word = isMap() ? "key=bool" : word(list.getActualTypeArguments()[0]);
      return forms.contains(Form.ELEMENT_PER_USE) ? word : word + ",...";
    }
    return word(type);
  }

  /**
   * The value for these texts, in order: lists and maps use all of them, other types the last.
   *
   * @param byDefault the value without the flag
   */
  @Nullable Object parse(String flag, List<String> texts, @Nullable Object byDefault) {
    if (forms.contains(Form.EMPTY_IS_DEFAULT) && texts.getLast().isBlank()) {
      return byDefault;
    }
    if (forms.contains(Form.FEATURE_GATES)) {
      return BooleanMaps.featureGates(flag, texts);
    }
    if (forms.contains(Form.RUNTIME_CONFIG)) {
      return BooleanMaps.runtimeConfig(flag, texts);
    }
    if (type instanceof ParameterizedType list) {
      return elements(flag, texts, list.getActualTypeArguments()[0]);
    }
    var text = texts.getLast();
    if (text.isEmpty() && (type == String.class || type == Path.class)) {
      return null;
    }
    return scalar(flag, text, type);
  }

  private List<Object> elements(String flag, List<String> texts, Type element) {
    if (element == InetAddress.class && texts.size() > 1) {
      throw new FlagException(
          "--"
              + flag
              + ": given "
              + texts.size()
              + " times ("
              + String.join(" and ", texts)
              + "); give it once, with a comma between the two of a pair");
    }
    var counted =
        forms.contains(Form.LAST_USE_COUNTS)
            ? texts.subList(texts.size() - 1, texts.size())
            : texts;
    var values = new ArrayList<Object>();
    for (var text : counted) {
      boolean whole =
          forms.contains(Form.ELEMENT_PER_USE) || (element == Integer.class && text.isEmpty());
      var parts = whole ? List.of(text) : separated(flag, text);
      for (var part : parts) {
        if (element == InetAddress.class) {
          if (!part.isBlank()) {
            values.add(scalar(flag, part.strip(), element));
          }
        } else {
          values.add(scalar(flag, part, element));
        }
      }
    }
    return values;
  }

  private static List<String> separated(String flag, String text) {
    try {
      return CommaSeparated.elements(text);
    } catch (IllegalArgumentException e) {
      throw new FlagException("--" + flag + ": " + e.getMessage(), e);
    }
  }

  /** The value as a user would write it; "" for none. */
  String text(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Spelled spelled -> spelled.spelling();
      case Duration duration -> GoDuration.format(duration);
      case InetAddress address -> Ip.of(address).toString();
      case List<?> list -> list.stream().map(this::text).collect(Collectors.joining(","));
      case Map<?, ?> map ->
          new TreeMap<>(map)
              .entrySet().stream()
                  .map(entry -> entry.getKey() + "=" + entry.getValue())
                  .collect(Collectors.joining(","));
      default -> value.toString();
    };
  }

  private boolean isMap() {
    return type instanceof ParameterizedType generic && generic.getRawType() == Map.class;
  }

  private static Object scalar(String flag, String text, Type type) {
    try {
      if (type == String.class) {
        return text;
      }
      if (type == boolean.class) {
        return GoBoolean.parse(flag, text);
      }
      if (type == int.class || type == Integer.class) {
        return GoInteger.parse(text);
      }
      if (type == double.class) {
        if (!NUMBER.matcher(text).matches()) {
          throw bad(flag, text, "is not a number");
        }
        return Double.valueOf(text);
      }
      if (type == Path.class) {
        if (text.isEmpty()) {
          throw bad(flag, text, "is not a file");
        }
        return Path.of(text);
      }
      if (type == Duration.class) {
        return duration(text);
      }
      if (type == InetAddress.class) {
        return Ip.parse(text).toInetAddress();
      }
      if (type == Cidr.class) {
        return range(text);
      }
      if (type == PortRange.class) {
        return PortRange.parse(text);
      }
      if (type == SniCertKey.class) {
        return SniCertKey.parse(text);
      }
    } catch (NumberFormatException e) {
      boolean whole = type == int.class || type == Integer.class;
      throw bad(flag, text, whole ? String.valueOf(e.getMessage()) : "is not a number");
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
    if (type == SniCertKey.class) {
      return "cert,key[:names]";
    }
    return "string";
  }

  /** A range in any form that kube-apiserver's flags accept. */
  private static Cidr range(String text) {
    var range = Cidr.parseLegacy(text);
    if (range == null) {
      throw new IllegalArgumentException("invalid CIDR address: " + text);
    }
    return range.masked();
  }

  /**
   * Parses a duration in Go's notation.
   *
   * @throws IllegalArgumentException when the text is not a duration
   */
  static Duration duration(String text) {
    try {
      return GoDuration.parse(text);
    } catch (MalformedValueException e) {
      throw new IllegalArgumentException("\"" + text + "\" is not a duration such as 1m30s", e);
    }
  }
}
