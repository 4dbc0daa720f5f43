package dev.muster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The external programs that tests run, with their installed versions. The file {@code programs}
 * lists them, also for {@code dev/test}. Thread-safe.
 */
public final class Programs {
  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");
  private static final Map<String, Listed> LISTED = read();
  private static final Map<String, Optional<Version>> FOUND = new ConcurrentHashMap<>();

  private record Listed(String debianPackage, List<String> versionArguments) {}

  private Programs() {}

  /** The version of the program on the PATH; empty when it is not installed. */
  public static Optional<Version> version(String name) {
    return version(name, name);
  }

  /** The version of the program at that path. */
  public static Optional<Version> version(String name, String path) {
    var listed = listed(name);
    return FOUND.computeIfAbsent(path, _ -> ask(path, listed.versionArguments()));
  }

  /** The Debian package of the program. */
  public static String debianPackage(String name) {
    return listed(name).debianPackage();
  }

  private static Listed listed(String name) {
    var listed = LISTED.get(name);
    if (listed == null) {
      throw new IllegalArgumentException(name + " is not one of " + LISTED.keySet());
    }
    return listed;
  }

  private static Optional<Version> ask(String path, List<String> arguments) {
    var command = new ArrayList<>(List.of(path));
    command.addAll(arguments);
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      var version = VERSION.matcher(text);
      if (!version.find()) {
        throw new IllegalStateException(command + " says no version: " + text);
      }
      return Optional.of(Version.parse(version.group()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static Map<String, Listed> read() {
    var listed = new TreeMap<String, Listed>();
    try (var file = Objects.requireNonNull(Programs.class.getResourceAsStream("programs"))) {
      new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split(" +")))
          .forEach(
              words ->
                  listed.put(
                      words.get(1), new Listed(words.getFirst(), words.subList(2, words.size()))));
      return listed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
