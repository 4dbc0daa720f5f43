package dev.muster.embedded;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Calls fabric8's CRD generator, {@code io.fabric8:crd-generator-api-v2}, if it is on the class
 * path. It is called by reflection, because its version is that of the user's client.
 */
final class DefinitionGenerator {
  private static final String GENERATOR = "io.fabric8.crdv2.generator.CRDGenerator";

  private DefinitionGenerator() {}

  /**
   * The definition of a class, as YAML; empty without the generator.
   *
   * @param name of the definition, such as {@code widgets.example.com}
   * @throws IllegalArgumentException when the generator refuses the class
   */
  static Optional<byte[]> definition(Class<?> type, String name) {
    Class<?> generator;
    try {
      generator = Class.forName(GENERATOR, true, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
    try {
      var folder = Files.createTempDirectory("muster-definitions-");
      try {
        generate(generator, type, folder);
        return Optional.of(Files.readAllBytes(folder.resolve(name + "-v1.yml")));
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("no definition " + name + " of " + type.getName(), e);
    }
  }

  private static void generate(Class<?> generator, Class<?> type, Path folder) {
    try {
      var made = generator.getConstructor().newInstance();
      generator.getMethod("customResourceClasses", Collection.class).invoke(made, List.of(type));
      generator
          .getMethod("forCRDVersions", String[].class)
          .invoke(made, (Object) new String[] {"v1"});
      generator.getMethod("inOutputDir", File.class).invoke(made, folder.toFile());
      generator.getMethod("generate").invoke(made);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          "fabric8's generator makes no definition of " + type.getName(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("not the generator that is known: " + GENERATOR, e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
