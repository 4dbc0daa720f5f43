package dev.muster.it.samples;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The samples of docs/tasks/testing.md pass with the jars that are published, beside other versions
 * of what these jars have under names of their own. The first one runs in every build, the others
 * with {@code -Dmuster.samples=all}, because they download much the first time.
 */
@Tag("slow")
@EnabledIf(
    value = "dev.muster.it.samples.PublishedJars#arePackaged",
    disabledReason = "jars are there after mvn package only")
class SamplesTest {
  private static final String FABRIC8 = "<fabric8.version>7.9.0</fabric8.version>";

  /** Nothing but its default HTTP client, which is of another Vert.x, takes the place of this. */
  private static final String DEPENDENCY =
      """
            <artifactId>kubernetes-client</artifactId>
            <version>${fabric8.version}</version>
          </dependency>
      """;

  private static final String DEPENDENCY_WITH_VERTX_4 =
      """
            <artifactId>kubernetes-client</artifactId>
            <version>${fabric8.version}</version>
            <exclusions>
              <exclusion>
                <groupId>io.fabric8</groupId>
                <artifactId>kubernetes-httpclient-vertx-5</artifactId>
              </exclusion>
            </exclusions>
          </dependency>
          <dependency>
            <groupId>io.fabric8</groupId>
            <artifactId>kubernetes-httpclient-vertx</artifactId>
            <version>${fabric8.version}</version>
          </dependency>
      """;

  @Test
  void fabric8() throws IOException, InterruptedException {
    SampleProject.copy("fabric8", "fabric8").test();
  }

  @Test
  @EnabledIfSystemProperty(named = "muster.samples", matches = "all")
  void theNewestFabric8() throws IOException, InterruptedException {
    SampleProject.copy("fabric8", "fabric8-newest")
        .with(FABRIC8, FABRIC8.replace("7.9.0", "8.0.0"))
        .with(DEPENDENCY, DEPENDENCY_WITH_VERTX_4)
        .test();
  }

  @Test
  @EnabledIfSystemProperty(named = "muster.samples", matches = "all")
  void anOlderFabric8() throws IOException, InterruptedException {
    SampleProject.copy("fabric8", "fabric8-older")
        .with(FABRIC8, FABRIC8.replace("7.9.0", "6.13.5"))
        .test();
  }

  @ParameterizedTest
  @ValueSource(strings = {"official-client", "quarkus", "spring-boot", "java-operator-sdk"})
  @EnabledIfSystemProperty(named = "muster.samples", matches = "all")
  void withOtherLibraries(String sample) throws IOException, InterruptedException {
    SampleProject.copy(sample, sample).test();
  }
}
