package dev.muster.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/testing.md shows is what the build runs. */
class TestingPageTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SHOWN =
      Pattern.compile("<!-- (\\S+) -->\n```\\w+\n(.*?)```\n", Pattern.DOTALL);

  @Test
  void thePageShowsTheSamplesAsTheyAre() throws IOException {
    var page = Files.readString(ROOT.resolve("docs/testing.md"));
    var blocks = SHOWN.matcher(page);
    int count = 0;
    while (blocks.find()) {
      var source = Files.readString(ROOT.resolve(blocks.group(1)));
      assertThat(blocks.group(2))
          .as(blocks.group(1))
          .isEqualTo(source.replaceFirst("^package [^\n]*\n\n", ""));
      count++;
    }
    assertThat(count).isEqualTo(4);
  }

  @Test
  void thePageNamesTheDependencyAsItIs() throws IOException {
    var page = Files.readString(ROOT.resolve("docs/testing.md"));
    var pom = Files.readString(Path.of("pom.xml"));
    for (var line : new String[] {"<artifactId>muster-junit</artifactId>"}) {
      assertThat(page).contains(line);
      assertThat(pom).contains(line);
    }
    var version = Pattern.compile("<version>(.*?)</version>").matcher(pom);
    assertThat(version.find()).isTrue();
    assertThat(page).contains("<version>" + version.group(1) + "</version>");
  }
}
