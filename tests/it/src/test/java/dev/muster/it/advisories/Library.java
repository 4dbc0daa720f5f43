package dev.muster.it.advisories;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** A version of an artifact. */
record Library(String artifact, String version) {
  private static final Pattern FILE = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");

  /** The libraries of a class path, by the names of their files. */
  static List<Library> on(String classPath) {
    return Arrays.stream(classPath.split(Pattern.quote(File.pathSeparator)))
        .map(Path::of)
        .map(Library::of)
        .flatMap(Optional::stream)
        .distinct()
        .toList();
  }

  private static Optional<Library> of(Path file) {
    var name = FILE.matcher(String.valueOf(file.getFileName()));
    return name.matches()
        ? Optional.of(new Library(name.group(1), name.group(2)))
        : Optional.empty();
  }
}
