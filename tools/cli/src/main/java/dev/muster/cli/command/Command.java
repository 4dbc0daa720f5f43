package dev.muster.cli.command;

import dev.muster.server.flags.FlagDefinition;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of the things that {@code muster} does. */
public interface Command {
  String name();

  /** One line for the list of commands. */
  String summary();

  /** What its help says before the flags. */
  String description();

  List<FlagDefinition> flags();

  /** Whether it takes arguments after {@code --}, and what the help calls them; "" for none. */
  default String rest() {
    return "";
  }

  /** What the help calls the words that it takes beside its flags; "" for none. */
  default String operands() {
    return "";
  }

  /** Those of its words that a shell can complete. */
  default List<String> words() {
    return List.of();
  }

  /** The flags that it takes after {@code --} for what it runs. */
  default Optional<PassedFlags> passed() {
    return Optional.empty();
  }

  /** Short names of flags, with their long ones. */
  default Map<String, String> shortForms() {
    return flags().stream().anyMatch(flag -> flag.name().equals("v")) ? Map.of("v", "v") : Map.of();
  }

  /** Whether the list of commands leaves it out. */
  default boolean hidden() {
    return false;
  }

  /**
   * Does it, and answers the exit code.
   *
   * @throws CommandFailure when it cannot, for a reason that its user can do something about
   */
  int run(Call call) throws Exception;

  /** What the user wrote: flags by name, the other words, and where to print. */
  record Call(Map<String, List<String>> flags, List<String> rest, PrintStream out) {}
}
