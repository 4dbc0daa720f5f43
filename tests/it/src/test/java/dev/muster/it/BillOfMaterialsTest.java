package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What was built says what it is made of. */
@EnabledIfSystemProperty(
    named = "muster.bom",
    matches = "..*",
    disabledReason = "only the whole build makes it: -Dmuster.bom=FOLDER")
class BillOfMaterialsTest {
  private final Path built = Path.of(System.getProperty("muster.bom", ""));

  private JsonObject bom() throws IOException {
    return (JsonObject) JsonReader.read(Files.readAllBytes(built.resolve("bom.json")));
  }

  @Test
  void everyJarIsInTheBillOfMaterialsAndEveryLibraryInTheListOfLicences() throws IOException {
    var components = new TreeMap<String, JsonObject>();
    for (var component : bom().array("components").objects()) {
      components.put(component.string("name") + "-" + component.string("version"), component);
    }
    var list = Files.readString(built.resolve("THIRD-PARTY.txt"));
    try (var jars = Files.list(built.resolve("lib"))) {
      assertThat(jars.toList())
          .hasSizeGreaterThan(30)
          .allSatisfy(
              jar -> {
                var name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
                // Natives follow the version as a classifier.
                assertThat(components.keySet())
                    .as("the bill of materials")
                    .anyMatch(name::startsWith);
                var own = name.startsWith("muster-");
                assertThat(list.lines().anyMatch(line -> line.startsWith(name + ".jar (")))
                    .as("%s in THIRD-PARTY.txt", name)
                    .isEqualTo(!own);
              });
    }
  }

  @Test
  void textsOfLicencesAreThereAsTheJarsHaveThem() throws IOException {
    try (var jars = Files.list(built.resolve("lib"));
        var jar = new ZipFile(jars.filter(this::isJackson).findFirst().orElseThrow().toFile())) {
      var text = jar.getInputStream(jar.getEntry("META-INF/LICENSE")).readAllBytes();
      var name = Path.of(jar.getName()).getFileName().toString().replaceFirst("\\.jar$", "");
      assertThat(built.resolve("licenses").resolve(name).resolve("LICENSE"))
          .hasContent(new String(text, StandardCharsets.UTF_8));
    }
  }

  private boolean isJackson(Path jar) {
    return jar.getFileName().toString().startsWith("jackson-core-");
  }

  @Test
  void twoBuildsOfOneCommitAreTheSame() throws IOException {
    assertThat(bom().has("serialNumber")).isFalse();
    assertThat(bom().object("metadata").string("timestamp")).isIn("", "2026-01-01T00:00:00Z");
  }
}
