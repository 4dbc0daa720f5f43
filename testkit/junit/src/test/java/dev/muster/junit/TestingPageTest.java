package dev.muster.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/tasks/testing.md shows is what the build runs: the projects in samples. */
class TestingPageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final String TOUR = "samples/fabric8/src/test/java/example/ClusterTourTest.java";
  private static final Pattern SHOWN =
      Pattern.compile("<!-- (\\S+) -->\n```\\w+\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern CALL = Pattern.compile("`(cluster\\.[a-z]\\w*\\([^`]*)`");

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/tasks/testing.md"));
  }

  @Test
  void thePageShowsTheSamplesAsTheyAre() throws IOException {
    var shown = new TreeSet<String>();
    var blocks = SHOWN.matcher(page());
    while (blocks.find()) {
      var source = Files.readString(ROOT.resolve(blocks.group(1)));
      assertThat(blocks.group(2)).as(blocks.group(1)).isEqualTo(source);
      shown.add(blocks.group(1));
    }
    assertThat(shown).containsAll(sources());
  }

  @Test
  void thePageShowsNoOtherCode() throws IOException {
    assertThat(SHOWN.matcher(page()).replaceAll("")).doesNotContain("```");
  }

  /** All sources of samples but the one to which the page leads. */
  private static Set<String> sources() throws IOException {
    var sources = new TreeSet<String>();
    try (var files = Files.walk(ROOT.resolve("samples"))) {
      files
          .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
          .filter(name -> name.endsWith(".java") && !name.contains("/target/"))
          .forEach(sources::add);
    }
    assertThat(sources.remove(TOUR)).isTrue();
    return sources;
  }

  @Test
  void whatThePageSaysOfAClusterIsDoneByASample() throws IOException {
    var tour = Files.readString(ROOT.resolve(TOUR));
    var official =
        Files.readString(
            ROOT.resolve("samples/official-client/src/test/java/example/OfficialClientTest.java"));
    var page = page();
    var table = page.substring(page.indexOf("## What a `TestCluster` does"));
    var calls = CALL.matcher(table).results().map(call -> call.group(1)).toList();
    assertThat(calls).hasSizeGreaterThan(7);
    assertThat(calls).allSatisfy(call -> assertThat(tour + official).contains(call));
  }

  @Test
  void thePageNamesTheVersionThatIsBuilt() throws IOException {
    var version =
        Pattern.compile("<version>(.*?)</version>").matcher(Files.readString(Path.of("pom.xml")));
    assertThat(version.find()).isTrue();
    assertThat(page())
        .contains(
            "<artifactId>muster-junit</artifactId>\n      <version>" + version.group(1) + "<");
  }
}
