package dev.muster.it.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The class path of those who test with Muster stays theirs. */
@EnabledIf(
    value = "dev.muster.it.samples.PublishedJars#arePackaged",
    disabledReason = "jars are there after mvn package only")
class PublishedJarsTest {
  private static final String SERVICES = "META-INF/services/";
  private static final Pattern OURS = Pattern.compile("dev/muster/(?!shaded/).*\\.class");

  @Test
  void noPackageIsAnyoneElses() throws IOException {
    for (var module : PublishedJars.MODULES) {
      assertThat(PublishedJars.files(module))
          .as(module)
          .allMatch(name -> name.startsWith("dev/muster/") || name.startsWith("META-INF/"));
    }
    assertThat(PublishedJars.files("runtime"))
        .as("what servers and controllers run on is there under names of our own")
        .anyMatch(name -> name.startsWith("dev/muster/shaded/io/netty/"))
        .anyMatch(name -> name.startsWith("dev/muster/shaded/io/fabric8/"))
        .anyMatch(name -> name.startsWith("dev/muster/shaded/com/google/protobuf/"));
  }

  @Test
  void nothingIsThereForTheWholeProcess() throws IOException {
    for (var module : PublishedJars.MODULES) {
      assertThat(PublishedJars.files(module))
          .as(module)
          .noneMatch(name -> name.startsWith("META-INF/versions/"))
          .noneMatch(name -> name.startsWith("META-INF/native"))
          .noneMatch(name -> name.endsWith("module-info.class"))
          .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA|idx)"))
          .filteredOn(name -> name.startsWith(SERVICES))
          .allMatch(name -> name.startsWith(SERVICES + "dev.muster."));
    }
  }

  @Test
  void lambdasOfOurOwnAreClasses() throws IOException {
    assertThat(PublishedJars.files("runtime"))
        .as("a new JVM need not make them")
        .contains("dev/muster/server/ApiServerWiring$$L0.class");
  }

  @Test
  void toolsThatReadCodeCanReadOurs() throws IOException {
    var unread = new ArrayList<String>();
    try (var jar = new JarFile(PublishedJars.jar("runtime").toFile())) {
      for (var entry : jar.stream().filter(e -> OURS.matcher(e.getName()).matches()).toList()) {
        try (var content = jar.getInputStream(entry)) {
          ClassFile.of().parse(content.readAllBytes()).methods().stream()
              .flatMap(method -> method.code().stream())
              .forEach(code -> code.forEach(element -> {}));
        } catch (IllegalArgumentException e) {
          unread.add(entry.getName() + ": " + e.getMessage());
        }
      }
    }
    assertThat(unread).as("agents such as JaCoCo's read all classes of a test").isEmpty();
  }

  @Test
  void servicesHaveTheNamesOfTheClassesThatAreThere() throws IOException {
    try (var jar = new JarFile(PublishedJars.jar("runtime").toFile())) {
      for (var entry : jar.stream().filter(e -> e.getName().startsWith(SERVICES)).toList()) {
        if (entry.isDirectory()) {
          continue;
        }
        try (var text = jar.getInputStream(entry)) {
          for (var line : new String(text.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
            var type = line.replaceFirst("#.*", "").strip();
            if (!type.isEmpty()) {
              assertThat(jar.getEntry(type.replace('.', '/') + ".class"))
                  .as("%s in %s", type, entry.getName())
                  .isNotNull();
            }
          }
        }
      }
    }
  }

  @Test
  void nothingComesAlongButTwoSmallInterfaces() throws IOException {
    var named =
        Pattern.compile(
                "<artifactId>([^<]*)</artifactId>\\s*<version>[^<]*</version>\\s*<scope>(?!test)")
            .matcher(Files.readString(PublishedJars.pom("runtime")));
    assertThat(named.results().map(found -> found.group(1)))
        .containsExactlyInAnyOrder("jspecify", "slf4j-api");
  }
}
