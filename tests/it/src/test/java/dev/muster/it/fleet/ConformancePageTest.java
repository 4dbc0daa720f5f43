package dev.muster.it.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.multicluster.conformance.AboutRequirement;
import dev.muster.multicluster.conformance.FleetRequirement;
import dev.muster.multicluster.conformance.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that says which test shows which clause of the documents. */
class ConformancePageTest {
  private static final Path PAGE = Path.of("../../docs/reference/conformance.md");
  private static final Pattern QUOTED = Pattern.compile("`([^`]*)`");

  private static final Pattern TEST = Pattern.compile("@(Test|ParameterizedTest|RepeatedTest)\\b");

  /** A line of one of the tables. */
  private record Clause(String id, String asks, String level, String suite, List<String> tests) {}

  private static List<Clause> clauses() throws IOException {
    var found = new ArrayList<Clause>();
    for (var line : Files.readAllLines(PAGE)) {
      var cells = line.split("\\|", -1);
      if (cells.length == 7 && cells[1].contains(".")) {
        var quoted = QUOTED.matcher(cells[5]).results().map(each -> each.group(1)).toList();
        var suite = cells[4].strip().replace("`", "");
        found.add(new Clause(cells[1].strip(), cells[2].strip(), cells[3].strip(), suite, quoted));
      }
    }
    return found;
  }

  @Test
  void everyClauseHasAnIdOfItsOwnALevelAndATest() throws IOException {
    var clauses = clauses();
    assertThat(clauses).hasSizeGreaterThan(60);
    assertThat(clauses).extracting(Clause::id).doesNotHaveDuplicates();
    assertThat(clauses)
        .extracting(clause -> clause.id().split("\\.", -1)[0])
        .contains("identity", "discovery", "dualstack", "endpoints", "cluster");
    assertThat(clauses)
        .allSatisfy(
            clause -> {
              assertThat(clause.asks()).isNotEmpty();
              assertThat(clause.level()).isIn("MUST", "SHOULD", "MAY");
              assertThat(clause.tests()).as("tests of %s", clause.id()).isNotEmpty();
            });
  }

  @Test
  void everyRequirementOfTheSuitesIsThereOnceWithItsLevel() throws IOException {
    var levels = new TreeMap<String, String>();
    for (var clause : clauses()) {
      if (!clause.suite().isEmpty()) {
        assertThat(levels.put(clause.suite(), clause.level())).as(clause.suite()).isNull();
      }
    }
    var expected = new TreeMap<String, String>();
    Stream.<Requirement>concat(
            Stream.of(AboutRequirement.values()), Stream.of(FleetRequirement.values()))
        .forEach(each -> expected.put(each.id(), each.isMust() ? "MUST" : "SHOULD"));
    assertThat(levels).isEqualTo(expected);
  }

  @Test
  void everyTestThatIsNamedExists() throws IOException {
    var sources = sources();
    assertThat(clauses())
        .allSatisfy(
            clause ->
                assertThat(clause.tests())
                    .as("tests of %s", clause.id())
                    .allSatisfy(test -> assertThat(exists(test, sources)).as(test).isTrue()));
    assertThat(exists("ConformancePageTest.everyTestThatIsNamedExists", sources)).isTrue();
    assertThat(exists("ConformancePageTest.noSuchTest", sources)).isFalse();
    assertThat(exists("NoSuchTest.everyTestThatIsNamedExists", sources)).isFalse();
  }

  private static boolean exists(String test, Map<String, List<Path>> sources) throws IOException {
    var parts = test.split("\\.", -1);
    assertThat(parts).hasSize(2);
    for (var file : sources.getOrDefault(parts[0] + ".java", List.of())) {
      var source = Files.readString(file);
      int method = source.indexOf(" void " + parts[1] + "(");
      if (method >= 0) {
        var annotations = source.substring(source.lastIndexOf("\n  }\n", method) + 1, method);
        return TEST.matcher(annotations).find();
      }
    }
    return false;
  }

  /** The tests of all modules by the names of their files. */
  private static Map<String, List<Path>> sources() throws IOException {
    var found = new HashMap<String, List<Path>>();
    try (var modules = Files.walk(Path.of("..", ".."), 2)) {
      for (var module : modules.filter(Files::isDirectory).toList()) {
        var folder = module.resolve("src/test/java");
        if (Files.isDirectory(folder)) {
          try (var files = Files.walk(folder)) {
            files
                .filter(file -> file.toString().endsWith("Test.java"))
                .forEach(
                    file ->
                        found
                            .computeIfAbsent(file.getFileName().toString(), n -> new ArrayList<>())
                            .add(file));
          }
        }
      }
    }
    return found;
  }
}
