package dev.muster.store.encrypted.kms;

import dev.muster.testing.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A KMS plug-in that a test starts, kills and tells how to behave. */
public final class PluginProcess implements AutoCloseable {
  private final String socket;
  private final Path control;
  private @Nullable ChildProcess process;

  private PluginProcess(String socket, Path control) {
    this.socket = socket;
    this.control = control;
  }

  /** One with its socket in that folder, not yet started. */
  public static PluginProcess in(Path folder) {
    var name = "kms-" + UUID.randomUUID().toString().substring(0, 8);
    var plugin = new PluginProcess(folder.resolve(name + ".sock").toString(), folder.resolve(name));
    plugin.behave("");
    return plugin;
  }

  /** One with an abstract socket. */
  public static PluginProcess abstractInto(Path folder) {
    var name = "muster-kms-" + UUID.randomUUID();
    var plugin = new PluginProcess("@" + name, folder.resolve(name));
    plugin.behave("");
    return plugin;
  }

  public String endpoint() {
    return "unix://" + (socket.startsWith("@") ? "/" : "") + socket;
  }

  public PluginProcess start() throws InterruptedException {
    process = ChildProcess.start(ChildProcess.java(PluginMain.class, socket, control.toString()));
    for (var line = process.nextLine(); !"ready".equals(line); line = process.nextLine()) {
      if (line == null) {
        throw new AssertionError("the plug-in ended: " + process.output());
      }
    }
    return this;
  }

  /** Lines of properties, in force from the next call on. */
  public void behave(String properties) {
    try {
      var next = control.resolveSibling(control.getFileName() + ".next");
      Files.writeString(next, properties);
      Files.move(next, control, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** How often a method was answered. */
  public long answered(String method) {
    var running = process;
    return running == null
        ? 0
        : running.output().stream().filter(line -> line.equals(method)).count();
  }

  public void kill() {
    var running = process;
    if (running != null) {
      running.close();
      process = null;
    }
    try {
      if (!socket.startsWith("@")) {
        Files.deleteIfExists(Path.of(socket));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
