package dev.muster.cli.command;

import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.GoArguments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Distributes the flags after {@code --} to the components of a command. A flag that two components
 * know goes to both.
 *
 * @param components in the order in which messages name them
 */
public record PassedFlags(List<Component> components) {
  /**
   * A component that takes flags.
   *
   * @param name for messages, such as "the API servers"
   * @param help the command that lists the flags
   */
  public record Component(String name, String help, List<FlagDefinition> flags) {
    public Component {
      flags = List.copyOf(flags);
    }

    boolean knows(String flag) {
      return flags.stream().anyMatch(known -> known.name().equals(flag));
    }
  }

  public PassedFlags {
    components = List.copyOf(components);
  }

  /**
   * The flags of each component, by its name.
   *
   * @throws FlagException for an unknown flag, and for a word that is no flag
   */
  public Map<String, Map<String, List<String>>> split(List<String> arguments) {
    var split = new LinkedHashMap<String, Map<String, List<String>>>();
    components.forEach(component -> split.put(component.name(), new LinkedHashMap<>()));
    boolean verbosity = all().anyMatch(flag -> flag.name().equals("v"));
    var longer =
        GoArguments.longForms(arguments, verbosity ? Map.of("v", "v") : Map.<String, String>of());
    for (var argument : GoArguments.normalize(longer, this::kind)) {
      if (!argument.startsWith("-")) {
        throw new FlagException("unexpected argument \"" + argument + "\"");
      }
      int equals = argument.indexOf('=');
      var name = equals < 0 ? argument : argument.substring(0, equals);
      var bare = bare(name);
      var takers = components.stream().filter(component -> component.knows(bare)).toList();
      if (takers.isEmpty() || equals < 0) {
        throw unknown(name);
      }
      for (var taker : takers) {
        split
            .getOrDefault(taker.name(), Map.of())
            .computeIfAbsent(bare, _ -> new ArrayList<>())
            .add(argument.substring(equals + 1));
      }
    }
    return split;
  }

  private Stream<FlagDefinition> all() {
    return components.stream().flatMap(component -> component.flags().stream());
  }

  private GoArguments.@Nullable Kind kind(String name) {
    return all()
        .filter(flag -> flag.name().equals(name))
        .findFirst()
        .map(flag -> flag.isBoolean() ? GoArguments.Kind.BOOLEAN : GoArguments.Kind.VALUE)
        .orElse(null);
  }

  /**
   * The components that take a flag, such as "the API servers and the controller manager"; "" for
   * none.
   */
  public String takers(String flag) {
    return components.stream()
        .filter(component -> component.knows(flag))
        .map(Component::name)
        .collect(Collectors.joining(" and "));
  }

  /**
   * Parses flags, and adds the flag's components to an error.
   *
   * @throws FlagException as the reader does, with the components added
   */
  public <T> T naming(Function<Map<String, List<String>>, T> reader, Map<String, List<String>> of) {
    try {
      return reader.apply(of);
    } catch (FlagException e) {
      var message = String.valueOf(e.getMessage());
      var flag =
          message.startsWith("--") ? message.substring(2).replaceFirst("(?s)[^a-z0-9-].*", "") : "";
      var takers = of.containsKey(flag) ? takers(flag) : "";
      throw takers.isEmpty()
          ? e
          : new FlagException(message + " (after --, a flag of " + takers + ")", e);
    }
  }

  private FlagException unknown(String name) {
    var names = new TreeSet<String>();
    all().forEach(flag -> names.add(flag.name()));
    return new FlagException(
        "unknown flag: "
            + name
            + Suggestions.hint("--", bare(name), names)
            + " (after -- stand flags of "
            + components.stream()
                .map(component -> component.name() + ": " + component.help())
                .collect(Collectors.joining(", and of "))
            + ")");
  }

  private static String bare(String name) {
    return name.replaceFirst("^-+", "").replace('_', '-');
  }
}
