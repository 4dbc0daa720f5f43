package dev.muster.it.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A project of the folder {@code samples}, built as its readers would build it: by Maven in a
 * process of its own, with what this build has packaged.
 *
 * @param folder a copy that may be changed
 */
record SampleProject(String name, Path folder) {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int SHOWN_LINES = 80;

  static SampleProject copy(String sample, String name) throws IOException {
    var from = PublishedJars.ROOT.resolve("samples", sample);
    var folder = Path.of("target", "samples", name).toAbsolutePath();
    try (var files = Files.walk(from)) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        var relative = from.relativize(file);
        if (!relative.startsWith("target")) {
          var copy = folder.resolve(relative.toString());
          Files.createDirectories(copy.getParent());
          Files.writeString(copy, Files.readString(file));
        }
      }
    }
    return new SampleProject(name, folder);
  }

  /** Replaces a part of the project's pom, which must be there. */
  SampleProject with(String part, String replacement) throws IOException {
    var pom = folder.resolve("pom.xml");
    var text = Files.readString(pom);
    if (!text.contains(part)) {
      throw new IllegalArgumentException(pom + " has no " + part);
    }
    Files.writeString(pom, text.replace(part, replacement));
    return this;
  }

  /** Runs its tests; fails with the end of Maven's output when they do. */
  void test() throws IOException, InterruptedException {
    var log = folder.resolveSibling(name + ".log");
    var maven =
        new ProcessBuilder(
                PublishedJars.ROOT.resolve("mvnw").toAbsolutePath().normalize().toString(),
                "-B",
                "-Dstyle.color=never",
                "--no-transfer-progress",
                "-Dmaven.repo.local.tail=" + PublishedJars.repository(),
                "test")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
    maven.environment().remove("MAVEN_OPTS");
    var process = maven.start();
    try {
      boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!ended || process.exitValue() != 0) {
        throw new AssertionError(
            "%s: mvn test %s%n%s"
                .formatted(name, ended ? "failed" : "does not end", String.join("\n", end(log))));
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static List<String> end(Path log) throws IOException {
    var lines = Files.readAllLines(log);
    return lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size());
  }
}
