package dev.muster.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A control plane of one server that can be started repeatedly in a separate process, with this
 * command's JVM and flags. Closing it deletes its folder.
 */
record OwnServer(Path folder, int port) implements AutoCloseable {
  static OwnServer prepare() {
    try (var free = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
      return new OwnServer(Files.createTempDirectory("muster-cold"), free.getLocalPort());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The administrator's kubeconfig, which exists before the first start. */
  Path kubeconfig() {
    return LocalCredentials.open(folder, InstantSource.system())
        .writeAdminKubeconfig(List.of("https://127.0.0.1:" + port));
  }

  /** The shell command that starts it. */
  String command() {
    var classPath = System.getProperty("java.class.path");
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    words.addAll(
        classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)
            ? List.of("-jar", classPath)
            : List.of("-cp", classPath, Main.class.getName()));
    words.addAll(
        List.of(
            "up",
            "--servers=1",
            "--port=" + port,
            "--data=" + folder,
            "--",
            "--bind-address=127.0.0.1"));
    return words.stream()
        .map(word -> "'" + word.replace("'", "'\\''") + "'")
        .collect(Collectors.joining(" "));
  }

  @Override
  public void close() {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
