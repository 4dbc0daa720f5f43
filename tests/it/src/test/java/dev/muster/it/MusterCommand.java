package dev.muster.it;

import dev.muster.cli.Main;
import dev.muster.testing.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the {@code muster} command is run as a process of its own: by the classes that the tests were
 * compiled with, or, with {@code -Dmuster.built=FOLDER}, by the jar that the build left there, as
 * users run it. That jar comes with a cache of loaded and linked classes, which saves a third of
 * what a start costs.
 */
public final class MusterCommand {
  private static final String HEAP = "-Xmx256m";

  private MusterCommand() {}

  /** The command with as much memory as a server with few objects needs. */
  public static List<String> of(String... arguments) {
    return ofHeap(HEAP, arguments);
  }

  /** The command with the given flag for the size of its heap. */
  public static List<String> ofHeap(String heap, String... arguments) {
    var command = new ArrayList<String>();
    for (var word : ChildProcess.java(Main.class, arguments)) {
      command.add(word.equals(HEAP) ? heap : word);
    }
    command.addAll(
        1,
        List.of(
            "--sun-misc-unsafe-memory-access=allow",
            "-Dmuster.command=muster",
            "-Dio.netty.noUnsafe=false",
            "-Dkeystore.pkcs12.keyPbeIterationCount=1"));
    var built = System.getProperty("muster.built", "");
    if (!built.isEmpty()) {
      useBuilt(Path.of(built), command);
    }
    return List.copyOf(command);
  }

  private static void useBuilt(Path folder, List<String> command) {
    int main = command.indexOf(Main.class.getName());
    var flags = new ArrayList<String>();
    // The cache is for heaps whose objects have such headers.
    flags.add("-XX:+UseCompactObjectHeaders");
    flags.add("-Djava.library.path=" + folder.resolve("native"));
    if (Files.exists(folder.resolve("muster.aot"))) {
      flags.add("-XX:AOTCache=" + folder.resolve("muster.aot"));
      flags.addAll(List.of("-Xlog:aot=off", "-Xlog:cds=off"));
    }
    flags.addAll(List.of("-jar", folder.resolve("muster.jar").toString()));
    var classPath = command.subList(main - 2, main + 1);
    classPath.clear();
    classPath.addAll(flags);
  }
}
