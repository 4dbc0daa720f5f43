package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.Kubectl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One kubectl at work in a namespace of its own. */
record Session(Kubectl kubectl, String namespace) {
  private static final AtomicInteger NAMES = new AtomicInteger();

  static Session start(Path program, Path kubeconfig) {
    var namespace = "work-" + NAMES.incrementAndGet();
    var session = new Session(new Kubectl(program, kubeconfig, ""), namespace);
    session.kubectl.succeed("create", "namespace", namespace);
    return session;
  }

  private String[] here(String... arguments) {
    return Stream.concat(Stream.of("--namespace=" + namespace), Stream.of(arguments))
        .toArray(String[]::new);
  }

  /** Runs a command, expects success, and hands back what it printed. */
  String run(String... arguments) {
    return kubectl.succeed(here(arguments));
  }

  String runWith(String input, String... arguments) {
    return kubectl.succeedWithInput(input, here(arguments));
  }

  /** Runs a command, expects failure, and hands back everything it printed. */
  String fail(String... arguments) {
    return failWith("", arguments);
  }

  String failWith(String input, String... arguments) {
    var output = kubectl.runWithInput(input, here(arguments));
    assertThat(output.code()).as("%s: %s", List.of(arguments), output.out()).isNotZero();
    return output.out() + output.err();
  }

  /** Runs an editing command with a program in place of the editor. */
  Kubectl.Output edit(String editor, String... arguments) throws Exception {
    var errors = Files.createTempFile("kubectl", ".err");
    var builder = new ProcessBuilder(kubectl.command(here(arguments)));
    builder.environment().put("KUBE_EDITOR", editor);
    var process = builder.redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("kubectl still runs after a minute");
    }
    var err = Files.readString(errors);
    Files.delete(errors);
    return new Kubectl.Output(process.exitValue(), out, err);
  }

  /** What a JSONPath finds in an object. */
  String stored(String object, String path) {
    return run("get", object, "-o", "jsonpath=" + path);
  }
}
