package dev.muster.it.samples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

/** What users of {@code muster-junit} get, as this build has packaged it. */
final class PublishedJars {
  static final Path ROOT = Path.of("..", "..");
  static final List<String> MODULES = List.of("runtime", "embedded", "junit");
  private static final String VERSION = "0.1.0-SNAPSHOT";

  private PublishedJars() {}

  /** Only a build that packages has jars; one that only compiles has none. */
  static boolean arePackaged() {
    return MODULES.stream().allMatch(module -> Files.exists(jar(module)))
        && Files.exists(pom("runtime"));
  }

  static Path jar(String module) {
    return ROOT.resolve("testkit")
        .resolve(Path.of(module, "target", "muster-" + module + "-" + VERSION + ".jar"));
  }

  /** That of the shaded jar names what is left beside it. */
  static Path pom(String module) {
    return module.equals("runtime")
        ? ROOT.resolve(Path.of("testkit", "runtime", "target", "dependency-reduced-pom.xml"))
        : ROOT.resolve(Path.of("testkit", module, "pom.xml"));
  }

  static List<String> files(String module) throws IOException {
    try (var jar = new JarFile(jar(module).toFile())) {
      var names = new ArrayList<String>();
      jar.stream().filter(entry -> !entry.isDirectory()).forEach(e -> names.add(e.getName()));
      return names;
    }
  }

  /** Lays them out as a repository of Maven's, below a folder of this build. */
  static Path repository() throws IOException {
    var repository = Path.of("target", "repository").toAbsolutePath();
    copy(ROOT.resolve("pom.xml"), repository, "muster", ".pom");
    for (var module : MODULES) {
      copy(pom(module), repository, "muster-" + module, ".pom");
      copy(jar(module), repository, "muster-" + module, ".jar");
    }
    return repository;
  }

  private static void copy(Path from, Path repository, String artifact, String suffix)
      throws IOException {
    var folder = repository.resolve("dev", "muster", artifact, VERSION);
    Files.createDirectories(folder);
    Files.copy(
        from,
        folder.resolve(artifact + "-" + VERSION + suffix),
        StandardCopyOption.REPLACE_EXISTING);
  }
}
