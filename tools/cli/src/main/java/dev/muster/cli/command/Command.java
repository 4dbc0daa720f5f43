package dev.muster.cli.command;

import dev.muster.server.flags.FlagDefinition;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A subcommand of {@code muster}. */
public interface Command {
  String name();

  /** One line for the list of commands. */
  String summary();

  /** The help text before the flags. */
  String description();

  List<FlagDefinition> flags();

  /** The name in the help for arguments after {@code --}; "" if the command takes none. */
  default String rest() {
    return "";
  }

  /** The name in the help for operands; "" if the command takes none. */
  default String operands() {
    return "";
  }

  /** The operands that a shell can complete. */
  default List<String> words() {
    return List.of();
  }

  /** The flags after {@code --}, for the components that the command runs. */
  default Optional<PassedFlags> passed() {
    return Optional.empty();
  }

  /** Short flag names with their long ones. */
  default Map<String, String> shortForms() {
    return flags().stream().anyMatch(flag -> flag.name().equals("v")) ? Map.of("v", "v") : Map.of();
  }

  /** Whether the list of commands omits it. */
  default boolean hidden() {
    return false;
  }

  /**
   * Runs the command and returns the exit code.
   *
   * @throws CommandFailure for a problem that the user can solve
   */
  int run(Call call) throws Exception;

  /** The parsed command line: flags by name, the other words, and the output stream. */
  record Call(Map<String, List<String>> flags, List<String> rest, PrintStream out) {}
}
