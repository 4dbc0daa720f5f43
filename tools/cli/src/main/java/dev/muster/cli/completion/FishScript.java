package dev.muster.cli.completion;

import dev.muster.cli.command.Command;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.options.flag.FileKind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Generates the completion script for fish: a line for each command and flag, with its help text.
 */
final class FishScript {
  private FishScript() {}

  static String of(List<Command> commands) {
    var lines = new StringBuilder();
    line(lines, "complete -c muster -f");
    line(lines, "complete -c muster -n __fish_use_subcommand -l version -d 'Show the version.'");
    line(lines, "complete -c muster -l help -d 'Show this help.'");
    var names = commands.stream().map(Command::name).collect(Collectors.joining(" "));
    line(lines, "complete -c muster -n __fish_use_subcommand -a help -d 'Show help.'");
    line(lines, "complete -c muster -n '__fish_seen_subcommand_from help' -a '" + names + "'");
    for (var command : commands) {
      line(
          lines,
          "complete -c muster -n __fish_use_subcommand -a %s -d %s"
              .formatted(command.name(), quoted(command.summary())));
      var when = "__fish_seen_subcommand_from " + command.name();
      if (!command.words().isEmpty()) {
        line(
            lines,
            "complete -c muster -n '%s' -a '%s'"
                .formatted(when, String.join(" ", command.words())));
      }
      var passed = command.passed();
      var own = passed.isEmpty() ? when : when + "; and not contains -- -- (commandline -opc)";
      command.flags().forEach(flag -> line(lines, flag(own, flag)));
      passed.ifPresent(
          flags ->
              flags.components().stream()
                  .flatMap(component -> component.flags().stream())
                  .map(flag -> flag(when + "; and contains -- -- (commandline -opc)", flag))
                  .distinct()
                  .forEach(line -> line(lines, line)));
    }
    return lines.toString();
  }

  private static String flag(String when, FlagDefinition flag) {
    var value = flag.isBoolean() ? "" : flag.file() == FileKind.NONE ? " -x" : " -r -F";
    return "complete -c muster -n '%s' -l %s%s -d %s"
        .formatted(when, flag.name(), value, quoted(flag.help()));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static void line(StringBuilder lines, String line) {
    lines.append(line).append('\n');
  }
}
