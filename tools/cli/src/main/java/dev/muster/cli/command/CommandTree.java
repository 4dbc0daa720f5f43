package dev.muster.cli.command;

import dev.muster.model.FileProblems;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import dev.muster.server.flags.GoArguments;
import dev.muster.server.flags.UpstreamFlags;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code muster} command with its subcommands. An invalid command line ends with one line on
 * the error stream and exit code 1.
 */
public final class CommandTree {
  private static final String HELP = "help";

  private final List<Command> commands;
  private final PrintStream out;
  private final PrintStream err;

  public CommandTree(List<Command> commands, PrintStream out, PrintStream err) {
    this.commands = List.copyOf(commands);
    this.out = out;
    this.err = err;
  }

  /** Runs the command line and returns its exit code. */
  public int run(String... words) {
    var arguments = helpAsFlag(words);
    var called = called(arguments);
    var prefix = called == null ? "muster: " : "muster " + called.name() + ": ";
    try {
      return execute(called, arguments);
    } catch (FlagException | CommandFailure e) {
      err.println(prefix + e.getMessage());
      return 1;
    } catch (IOException e) {
      err.println(prefix + FileProblems.text(e));
      return 1;
    } catch (UncheckedIOException e) {
      err.println(prefix + FileProblems.text(e));
      return 1;
    } catch (UnmatchedArgumentException e) {
      err.println(prefix + unknown(called, e.getUnmatched().getFirst()));
      return 1;
    } catch (ParameterException e) {
      err.println(
          prefix + String.valueOf(e.getMessage()).lines().findFirst().orElse("bad arguments"));
      return 1;
    } catch (Exception e) {
      err.print(prefix);
      e.printStackTrace(err);
      return 1;
    }
  }

  /** Turns {@code help} and {@code help COMMAND} into {@code --help}. */
  private static String[] helpAsFlag(String[] arguments) {
    if (arguments.length == 0 || !arguments[0].equals(HELP)) {
      return arguments;
    }
    return arguments.length == 1 ? new String[] {"--help"} : new String[] {arguments[1], "--help"};
  }

  private int execute(@Nullable Command called, String[] arguments) throws Exception {
    if (called == null && arguments.length > 0 && !arguments[0].startsWith("-")) {
      throw new FlagException(unknown(null, arguments[0]));
    }
    var line = configured(root());
    if (called == null) {
      var parsed = line.parseArgs(arguments);
      if (parsed.isVersionHelpRequested()) {
        out.println(Version.text());
        return 0;
      }
      line.usage(out);
      return parsed.isUsageHelpRequested() ? 0 : 1;
    }
    var own = Arrays.asList(arguments).subList(1, arguments.length);
    var normal = new ArrayList<>(List.of(called.name()));
    normal.addAll(
        GoArguments.normalize(
            GoArguments.longForms(own, called.shortForms()), name -> kind(called, name)));
    var parsed = line.parseArgs(normal.toArray(String[]::new)).subcommand();
    if (parsed.isUsageHelpRequested()) {
      parsed.commandSpec().commandLine().usage(out);
      return 0;
    }
    if (parsed.isVersionHelpRequested()) {
      out.println(Version.text());
      return 0;
    }
    return called.run(new Command.Call(flags(parsed), rest(parsed), out));
  }

  private static CommandLine configured(CommandSpec spec) {
    var line = new CommandLine(spec);
    line.setExpandAtFiles(false).setInterpolateVariables(false).setTrimQuotes(false);
    line.setOverwrittenOptionsAllowed(true);
    line.setUsageHelpWidth(100).setUsageHelpAutoWidth(true).setUsageHelpLongOptionsMaxWidth(36);
    return line;
  }

  private @Nullable Command called(String[] arguments) {
    if (arguments.length > 0) {
      for (var command : commands) {
        if (command.name().equals(arguments[0])) {
          return command;
        }
      }
    }
    return null;
  }

  private CommandSpec root() {
    var spec = CommandSpec.create().name("muster");
    spec.usageMessage()
        .description("A Kubernetes API server for the JVM whose servers know one another.")
        .synopsisSubcommandLabel("COMMAND")
        .footer(
            "",
            "Each command has its own help: "
                + CommandName.text().replace("%", "%%")
                + " help COMMAND");
    addHelp(spec);
    for (var command : commands) {
      spec.addSubcommand(command.name(), subcommand(command));
    }
    return spec;
  }

  private static CommandSpec subcommand(Command command) {
    var spec = CommandSpec.create().name(command.name());
    spec.usageMessage()
        .header(command.summary())
        .description("", command.description())
        .abbreviateSynopsis(true)
        .hidden(command.hidden())
        .sortOptions(false);
    addHelp(spec);
    var groups = new LinkedHashMap<String, ArgGroupSpec.Builder>();
    for (var flag : command.flags()) {
      groups
          .computeIfAbsent(
              flag.group(),
              heading ->
                  ArgGroupSpec.builder()
                      .validate(false)
                      .exclusive(false)
                      .multiplicity("0..1")
                      .heading("%n" + heading + ":%n"))
          .addArg(option(flag));
    }
    groups.values().forEach(group -> spec.addArgGroup(group.build()));
    if (!command.rest().isEmpty() || !command.operands().isEmpty()) {
      spec.addPositional(
          PositionalParamSpec.builder()
              .paramLabel(
                  command.rest().isEmpty() ? command.operands() : "[-- " + command.rest() + "]")
              .hideParamSyntax(true)
              .arity("0..*")
              .type(List.class)
              .auxiliaryTypes(String.class)
              .build());
    }
    return spec;
  }

  private static void addHelp(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    spec.addOption(
        OptionSpec.builder("--version").versionHelp(true).description("Show the version.").build());
  }

  private static OptionSpec option(FlagDefinition flag) {
    var help = flag.help().replace("%", "%%").replace("@|", "@ |");
    if (!flag.byDefault().isEmpty()) {
      help += " (default " + flag.byDefault() + ")";
    }
    return OptionSpec.builder("--" + flag.name())
        .arity("1")
        .type(List.class)
        .auxiliaryTypes(String.class)
        .paramLabel(flag.placeholder())
        .hideParamSyntax(true)
        .description(help)
        .build();
  }

  private static GoArguments.@Nullable Kind kind(Command command, String name) {
    for (var flag : command.flags()) {
      if (flag.name().equals(name)) {
        return flag.isBoolean() ? GoArguments.Kind.BOOLEAN : GoArguments.Kind.VALUE;
      }
    }
    return null;
  }

  private static Map<String, List<String>> flags(ParseResult parsed) {
    var given = new LinkedHashMap<String, List<String>>();
    for (var option : parsed.matchedOptionsSet()) {
      given.put(option.longestName().substring(2), List.copyOf(option.originalStringValues()));
    }
    return given;
  }

  private static List<String> rest(ParseResult parsed) {
    return parsed.matchedPositionals().stream()
        .flatMap(positional -> positional.originalStringValues().stream())
        .toList();
  }

  private String unknown(@Nullable Command called, String argument) {
    if (!argument.startsWith("-")) {
      var names = commands.stream().filter(command -> !command.hidden()).map(Command::name);
      return called == null
          ? "unknown command \""
              + argument
              + "\""
              + Suggestions.hint("", argument, names.toList())
              + " ("
              + CommandName.text()
              + " --help lists them)"
          : "unexpected argument \"" + argument + "\"";
    }
    int equals = argument.indexOf('=');
    var name = equals < 0 ? argument : argument.substring(0, equals);
    if (called != null
        && called.name().equals("apiserver")
        && UpstreamFlags.refused(name.replaceFirst("^-*", "").replace('_', '-'))) {
      return name + ": a flag of kube-apiserver that Muster does not support";
    }
    return called == null ? "unknown flag: " + name : unknownFlag(called, name);
  }

  private static String unknownFlag(Command called, String name) {
    var bare = name.replaceFirst("^-*", "").replace('_', '-');
    var takers = called.passed().map(passed -> passed.takers(bare)).orElse("");
    if (!takers.isEmpty()) {
      return "unknown flag: %s, it is a flag of %s: put it after --, as in %s %s -- %s"
          .formatted(name, takers, CommandName.text(), called.name(), name);
    }
    var names = called.flags().stream().map(FlagDefinition::name).toList();
    return "unknown flag: " + name + Suggestions.hint("--", bare, names);
  }
}
