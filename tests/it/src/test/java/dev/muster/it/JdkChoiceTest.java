package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of several JDKs the scripts take. */
class JdkChoiceTest {
  private static final Path SCRIPT = Path.of("..", "..", "dev", "java.sh");

  @TempDir Path folder;

  @BeforeEach
  void makeJdks() throws IOException {
    for (var version : new String[] {"17", "24", "25", "26", "27"}) {
      var bin = Files.createDirectories(folder.resolve(version).resolve("bin"));
      var javac = Files.writeString(bin.resolve("javac"), "#!/bin/sh\n");
      assertThat(javac.toFile().setExecutable(true)).isTrue();
      Files.writeString(
          folder.resolve(version).resolve("release"), "JAVA_VERSION=\"" + version + ".0.1\"\n");
    }
    Files.createDirectories(folder.resolve("empty"));
  }

  /** The folder's name of the JDK that is found, or what the script says when it finds none. */
  private String found(String javaHome, String... usual) throws Exception {
    var folders =
        Arrays.stream(usual)
            .map(folder::resolve)
            .map(Path::toString)
            .collect(Collectors.joining(" "));
    var program =
        """
        set -euo pipefail
        JAVA_HOME=%s
        . %s
        JAVA_HOME=%s
        command() { return 1; }
        jdk_folders=(%s)
        find_jdk || echo none
        """
            .formatted(
                System.getProperty("java.home"),
                SCRIPT.toAbsolutePath(),
                javaHome.isEmpty() ? "" : folder.resolve(javaHome),
                folders);
    var bash = new ProcessBuilder("bash", "-c", program).redirectErrorStream(true).start();
    var said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(bash.waitFor()).as(said).isZero();
    return said.replace(folder + "/", "");
  }

  @Test
  void prefers25() throws Exception {
    assertThat(found("", "17", "26", "25", "27")).isEqualTo("25");
    assertThat(found("26", "25")).isEqualTo("25");
    assertThat(found("25", "27")).isEqualTo("25");
  }

  @Test
  void takesTheNewestWithout25() throws Exception {
    assertThat(found("", "24", "26", "27", "17")).isEqualTo("27");
    assertThat(found("26", "17")).isEqualTo("26");
  }

  @Test
  void takesNoneThatIsOlder() throws Exception {
    assertThat(found("17", "24", "empty", "absent")).isEqualTo("none");
  }
}
