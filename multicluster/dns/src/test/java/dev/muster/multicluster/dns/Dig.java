package dev.muster.multicluster.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks a server on this machine with {@code dig}. */
record Dig(int port) {

  /** Everything that dig says. */
  String all(String... arguments) {
    var command = new ArrayList<>(List.of("dig", "-p", String.valueOf(port)));
    command.addAll(List.of("+tries=3", "+time=20", "+noidnin", "+noidnout"));
    command.addAll(List.of(arguments));
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The data of all answers, sorted. */
  List<String> answers(String server, String name, String type, String... more) {
    var arguments = new ArrayList<>(List.of("@" + server, name, type, "+short"));
    arguments.addAll(List.of(more));
    return all(arguments.toArray(String[]::new)).lines().sorted().toList();
  }
}
