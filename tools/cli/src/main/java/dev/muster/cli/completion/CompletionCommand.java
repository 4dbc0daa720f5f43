package dev.muster.cli.completion;

import dev.muster.cli.command.Command;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.FlagException;
import java.util.List;
import java.util.function.Supplier;

/** {@code muster completion}: prints a shell completion script. */
public final class CompletionCommand implements Command {
  private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  private final Supplier<List<Command>> commands;

  /**
   * @param commands all commands, including this one
   */
  public CompletionCommand(Supplier<List<Command>> commands) {
    this.commands = commands;
  }

  @Override
  public String name() {
    return "completion";
  }

  @Override
  public String summary() {
    return "Print a script that lets bash, zsh or fish complete commands and flags.";
  }

  @Override
  public String description() {
    return "For this session: source <(muster completion bash), source <(muster completion zsh), or"
        + " muster completion fish | source. For all: write it to a file where your shell looks,"
        + " such as /etc/bash_completion.d/muster.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return List.of();
  }

  @Override
  public String operands() {
    return "SHELL";
  }

  @Override
  public List<String> words() {
    return SHELLS;
  }

  @Override
  public int run(Call call) {
    if (call.rest().size() != 1 || !SHELLS.contains(call.rest().getFirst())) {
      throw new FlagException("SHELL must be one of " + String.join(", ", SHELLS));
    }
    var shown = commands.get().stream().filter(command -> !command.hidden()).toList();
    call.out()
        .print(
            switch (call.rest().getFirst()) {
              case "zsh" -> BashScript.forZsh(shown);
              case "fish" -> FishScript.of(shown);
              default -> BashScript.of(shown);
            });
    return 0;
  }
}
