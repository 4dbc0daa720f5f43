package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real kubectl with one kubeconfig and a cache of its own, on the current context or another. */
public record Kubectl(Path program, Path kubeconfig, String context) {
  /**
   * How long whoever waits with a kubectl lets pass between two looks. Each is a process: one after
   * the other, they would take the time of what is waited for.
   */
  public static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  /** On the current context. */
  public Kubectl(Path program, Path kubeconfig) {
    this(program, kubeconfig, "");
  }

  /** What one call printed, and how it ended. */
  public record Output(int code, String out, String err) {}

  /** The kubectl that a user of this machine would run. */
  public static Kubectl of(Path kubeconfig) {
    var program = firstOnPath();
    assertThat(program).as("a kubectl on the PATH").isPresent();
    return new Kubectl(program.orElseThrow(), kubeconfig, "");
  }

  /** The same on that context. */
  public Kubectl on(String other) {
    return new Kubectl(program, kubeconfig, other);
  }

  /** All versions that this machine has, oldest first. */
  public static List<Path> versions() {
    var first = firstOnPath();
    if (first.isEmpty()) {
      return List.of();
    }
    var program = first.get();
    try {
      var folder = program.toRealPath().getParent();
      try (Stream<Path> files = folder == null ? Stream.of() : Files.list(folder)) {
        var found =
            files
                .filter(file -> file.getFileName().toString().matches("kubectl\\.1\\.\\d+"))
                .sorted(Comparator.comparingInt(Kubectl::minor))
                .toList();
        return found.isEmpty() ? List.of(program) : found;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Those to test with: the oldest and the newest that this machine has, or all of them where
   * {@code -Dmuster.kubectl.all=true} asks for it.
   */
  public static List<Path> tested() {
    var all = versions();
    return all.size() <= 1 || Boolean.getBoolean("muster.kubectl.all")
        ? all
        : List.of(all.getFirst(), all.getLast());
  }

  /** The command line of a call, for a process that goes on. */
  public List<String> command(String... arguments) {
    var command = new ArrayList<String>();
    command.add(program.toString());
    command.add("--kubeconfig=" + kubeconfig);
    command.add("--cache-dir=" + kubeconfig.resolveSibling("kubectl-cache"));
    if (!context.isEmpty()) {
      command.add("--context=" + context);
    }
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs it and hands back whatever happened. */
  public Output run(String... arguments) {
    return runWithInput("", arguments);
  }

  public Output runWithInput(String input, String... arguments) {
    var command = command(arguments);
    try {
      var errors = Files.createTempFile("kubectl", ".err");
      var process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
      try (var stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(StandardCharsets.UTF_8));
      }
      var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("kubectl still runs after a minute: " + command);
      }
      var err = Files.readString(errors);
      Files.delete(errors);
      return new Output(process.exitValue(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Runs it, expects success, and hands back what it printed. */
  public String succeed(String... arguments) {
    return succeedWithInput("", arguments);
  }

  /** The same with something on its standard input. */
  public String succeedWithInput(String input, String... arguments) {
    var output = runWithInput(input, arguments);
    assertThat(output.code())
        .as("kubectl %s: %s%s", List.of(arguments), output.out(), output.err())
        .isZero();
    return output.out();
  }

  private static int minor(Path program) {
    var name = program.getFileName().toString();
    return Integer.parseInt(name.substring(name.lastIndexOf('.') + 1));
  }

  private static Optional<Path> firstOnPath() {
    var path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, "kubectl"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
