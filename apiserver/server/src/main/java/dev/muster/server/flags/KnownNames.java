package dev.muster.server.flags;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names that Kubernetes 1.36 knows, so that a misspelt one is rejected instead of ignored. A name
 * is the first word of a line; the whole line is known, too.
 */
public final class KnownNames {
  private final Set<String> names;

  private KnownNames(Set<String> names) {
    this.names = names;
  }

  public static KnownNames featureGates() {
    return read("kubernetes-feature-gates.txt");
  }

  public static KnownNames admissionPlugins() {
    return read("kubernetes-admission-plugins.txt");
  }

  public boolean contains(String name) {
    return names.contains(name);
  }

  private static KnownNames read(String resource) {
    try (var stream =
        KnownNames.class.getResourceAsStream("/dev/muster/server/flags/" + resource)) {
      if (stream == null) {
        throw new IllegalStateException(resource + " is missing from the jar");
      }
      return new KnownNames(
          new String(stream.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#"))
              .flatMap(line -> Stream.of(line, line.split(" ", 2)[0]))
              .collect(Collectors.toUnmodifiableSet()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
