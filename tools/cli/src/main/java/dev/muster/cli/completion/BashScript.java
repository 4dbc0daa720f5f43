package dev.muster.cli.completion;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.PassedFlags;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.options.flag.FileKind;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Generates the completion script for bash, which zsh also runs with its {@code bashcompinit}
 * module.
 */
final class BashScript {
  private BashScript() {}

  static String forZsh(List<Command> commands) {
    return "#compdef muster\nautoload -U +X bashcompinit && bashcompinit\n" + of(commands);
  }

  static String of(List<Command> commands) {
    var names = commands.stream().map(Command::name).collect(Collectors.joining(" "));
    return """
    # Completes the flags and words of muster. Flags that take a value end with =.
    _muster() {
      local cur=${COMP_WORDS[COMP_CWORD]} flag= command= passed= flags= words= files= booleans= value= i
      for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
          --) passed=yes ;;
          -*) ;;
          *) if [ -z "$command" ]; then command=${COMP_WORDS[i]}; fi ;;
        esac
      done
      # Bash makes words of its own of what stands before and after =.
      if [ "$cur" = = ]; then
        cur= flag=${COMP_WORDS[COMP_CWORD-1]} value=yes
      elif [ "$COMP_CWORD" -ge 2 ] && [ "${COMP_WORDS[COMP_CWORD-1]}" = = ]; then
        flag=${COMP_WORDS[COMP_CWORD-2]} value=yes
      elif [ "$COMP_CWORD" -ge 1 ]; then
        case "$cur" in
          --*=*) flag=${cur%%%%=*} cur=${cur#*=} value=yes ;;
          *) flag=${COMP_WORDS[COMP_CWORD-1]} ;;
        esac
      fi
      case "$command" in
        '') words='%1$s help' flags='--help --version' ;;
        help) words='%1$s' ;;
    %2$s  esac
      case " $booleans " in
        *" $flag "*)
          if [ -n "$value" ]; then
            COMPREPLY=($(compgen -W 'true false' -- "$cur"))
            return
          fi
          flag= ;;
      esac
      case " $files " in
        *" $flag "*) COMPREPLY=($(compgen -f -- "$cur")) && return ;;
      esac
      case " $flags " in
        *" $flag= "*) COMPREPLY=() && return ;;
      esac
      case "$cur" in
        -*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
        *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
      esac
      if [ "${#COMPREPLY[@]}" = 1 ] && [[ ${COMPREPLY[0]-} == *= ]]; then
        type compopt > /dev/null 2>&1 && compopt -o nospace 2> /dev/null
      fi
    }
    complete -F _muster muster
    """
        .formatted(names, commands.stream().map(BashScript::arm).collect(Collectors.joining()));
  }

  private static String arm(Command command) {
    var own = command.flags();
    var after =
        command.passed().map(PassedFlags::components).orElse(List.of()).stream()
            .flatMap(component -> component.flags().stream())
            .toList();
    var arm = new StringBuilder("    " + command.name() + ")\n");
    if (after.isEmpty()) {
      arm.append(settings("      ", own));
    } else {
      arm.append("      if [ -n \"$passed\" ]; then\n")
          .append(settings("        ", after))
          .append("      else\n")
          .append(settings("        ", own))
          .append("      fi\n");
    }
    return arm.append("      words='")
        .append(String.join(" ", command.words()))
        .append("' ;;\n")
        .toString();
  }

  private static String settings(String indent, List<FlagDefinition> flags) {
    return indent
        + "flags='--help "
        + names(flags, flag -> true, flag -> flag.isBoolean() ? "" : "=")
        + "'\n"
        + indent
        + "files='"
        + names(flags, flag -> flag.file() != FileKind.NONE, flag -> "")
        + "'\n"
        + indent
        + "booleans='"
        + names(flags, FlagDefinition::isBoolean, flag -> "")
        + "'\n";
  }

  private interface Ending {
    String of(FlagDefinition flag);
  }

  private static String names(
      List<FlagDefinition> flags, Predicate<FlagDefinition> which, Ending ending) {
    return flags.stream()
        .filter(which)
        .map(flag -> "--" + flag.name() + ending.of(flag))
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .collect(Collectors.joining(" "));
  }
}
