package dev.muster.it;

import dev.muster.testing.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The {@code muster} command as a process of its own. */
public final class Processes {
  private Processes() {}

  public static ChildProcess muster(String... arguments) {
    var command = new ArrayList<>(MusterCommand.ofHeap("-Xmx512m", arguments));
    if (arguments[0].equals("up")) {
      if (!command.contains("--")) {
        command.add("--");
      }
      command.add("--bind-address=127.0.0.1");
    }
    return ChildProcess.start(command);
  }

  /**
   * {@code muster up} with one server on a free port, unless the flags want something else. Its
   * folder, if it is a new one, has an administrator already.
   */
  public static ChildProcess up(Path data, String... flags) {
    var arguments = new ArrayList<>(List.of("up", "--port=0", "--servers=1", "--data"));
    arguments.add(data.toString());
    arguments.addAll(List.of(flags));
    if (!Files.exists(data.resolve("pki"))) {
      LentAdministrator.to(data);
    }
    return muster(arguments.toArray(String[]::new));
  }

  /** Reads the output of {@code muster up} until it is up. */
  public static List<String> awaitUp(ChildProcess muster) throws InterruptedException {
    var seen = new ArrayList<String>();
    for (var line = muster.nextLine(); line != null; line = muster.nextLine()) {
      seen.add(line);
      if (line.equals("Ctrl-C stops it.")) {
        return seen;
      }
    }
    throw new AssertionError("muster ended: " + seen);
  }
}
