package dev.muster.cli.clusterset;

import dev.muster.multicluster.conformance.Faults;
import dev.muster.multicluster.conformance.Faults.Kind;
import dev.muster.server.options.flag.Flag;
import dev.muster.server.options.flag.FlagGroup;
import java.time.Duration;
import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/** The flags that let the conformance checks cause faults. */
@FlagGroup("Faults")
record FaultFlags(
    @Flag(
            name = "kill-command",
            help =
                "Ends a server of a fleet at once; it need not come back. As all of these commands,"
                    + " it is run by sh with the server's ID as $1 and a published address of it"
                    + " (with port) as $2, has to end with 0, and needs --destructive.")
        @Nullable String kill,
    @Flag(name = "pause-command", help = "Lets a server of a fleet stand still, as SIGSTOP does.")
        @Nullable String pause,
    @Flag(name = "resume-command", help = "Lets it go on. Required with --pause-command.")
        @Nullable String resume,
    @Flag(
            name = "skew-command",
            help =
                "Sets the wall clock of a server of a fleet $3 seconds ahead, and right again when"
                    + " $3 is 0. It may start the server anew for it.")
        @Nullable String skew,
    @Flag(
            name = "fault-timeout",
            help = "How long a fleet may take to notice a fault, and a command to end.")
        Duration timeout) {

  FaultFlags {
    check("kill-command", kill);
    check("pause-command", pause);
    check("resume-command", resume);
    check("skew-command", skew);
    if ((pause == null) != (resume == null)) {
      throw new IllegalArgumentException(
          "--pause-command and --resume-command: give both, or none");
    }
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("--fault-timeout: must be greater than zero");
    }
  }

  private static void check(String flag, @Nullable String command) {
    if (command != null && command.isBlank()) {
      throw new IllegalArgumentException("--" + flag + ": must not be empty");
    }
  }

  static FaultFlags defaults() {
    return new FaultFlags(null, null, null, null, Duration.ofMinutes(2));
  }

  Faults read() {
    var commands = new EnumMap<Kind, String>(Kind.class);
    put(commands, Kind.KILL, kill);
    put(commands, Kind.PAUSE, pause);
    put(commands, Kind.RESUME, resume);
    put(commands, Kind.SKEW, skew);
    return commands.isEmpty() ? Faults.NONE : new ShellFaults(commands, timeout);
  }

  private static void put(EnumMap<Kind, String> commands, Kind kind, @Nullable String command) {
    if (command != null) {
      commands.put(kind, command);
    }
  }
}
