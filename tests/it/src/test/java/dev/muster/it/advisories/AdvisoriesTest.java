package dev.muster.it.advisories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No library that the build uses is on the list of those that are known to be bad. */
class AdvisoriesTest {
  private static List<Advisory> advisories() throws IOException {
    try (var lines = Files.lines(Path.of("../../dev/advisories.txt"))) {
      return Advisory.read(lines);
    }
  }

  private static List<String> found(String classPath) throws IOException {
    var libraries = Library.on(classPath);
    return advisories().stream()
        .flatMap(
            advisory ->
                libraries.stream()
                    .filter(advisory::isAbout)
                    .map(
                        library ->
                            advisory.name()
                                + " is about "
                                + library.artifact()
                                + " "
                                + library.version()
                                + ", not about "
                                + advisory.fixed()))
        .toList();
  }

  @Test
  void noLibraryIsKnownToBeBad() throws IOException {
    var classPath = System.getProperty("java.class.path");
    assertThat(Library.on(classPath))
        .extracting(Library::artifact)
        .as("what the list is held against")
        .contains("netty-codec-http2", "protobuf-java", "nimbus-jose-jwt", "bcpkix-jdk18on");
    assertThat(found(classPath)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/m2/netty-codec-http2-4.1.99.Final.jar, 2",
    "/m2/netty-codec-http2-4.1.124.Final.jar, 0",
    "/m2/netty-codec-http2-4.2.0.Final.jar, 1",
    "/m2/netty-codec-http2-4.2.3.Final.jar, 1",
    "/m2/netty-codec-http2-4.2.4.Final.jar, 0",
    "/m2/protobuf-java-4.28.1.jar, 1",
    "/m2/protobuf-java-4.28.2.jar, 0",
    "/m2/protobuf-java-util-4.28.1.jar, 0",
    "/m2/snakeyaml-2.0.jar, 0",
    "/m2/snakeyaml-1.33.jar, 1",
    "/m2/nimbus-jose-jwt-10.0.1.jar, 1",
    "/m2/nimbus-jose-jwt-10.10.jar, 0",
    "/m2/logback-core-1.5.20.jar, 4",
    "/m2/logback-core-1.5.38.jar, 0"
  })
  void findsABadVersionOnAClassPath(String file, int advisories) throws IOException {
    assertThat(found("/m2/other-1.0.jar:" + file)).hasSize(advisories);
  }

  @Test
  void aLineThatIsNoAdvisoryIsNotPassedOver() {
    assertThatThrownBy(() -> Advisory.read(Stream.of("CVE-2024-1 x - 1")))
        .hasMessage("no advisory: CVE-2024-1 x - 1");
    assertThatThrownBy(() -> Advisory.read(Stream.of("CVE-2024-7254 protobuf-java 3.25.5")))
        .hasMessageContaining("no advisory");
  }
}
