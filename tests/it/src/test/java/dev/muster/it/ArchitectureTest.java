package dev.muster.it;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import dev.muster.admission.matching.AdmissionAttributes;
import dev.muster.admission.nodes.NodeRestriction;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The walk through the modules stays one-way, and names say what things do. */
class ArchitectureTest {
  private static final String ROOT = "dev.muster.";

  /** In the order in which a reader meets them; each may use those before it. */
  private static final List<String> MODULES =
      List.of(
          "model",
          "wire",
          "schema",
          "openapi",
          "cel",
          "patch",
          "store",
          "pki",
          "replica",
          "http",
          "types",
          "validation",
          "registry",
          "authentication",
          "authorization",
          "admission",
          "audit",
          "flowcontrol",
          "server",
          "fleet",
          "controllers",
          "multicluster",
          "runtime",
          "embedded",
          "junit",
          "bench",
          "cli");

  /** Of the packages of {@code http}, those that each may use; all may use the root. */
  private static final Map<String, Set<String>> HTTP_PACKAGES =
      Map.of(
          "limits", Set.of("limits"),
          "tls", Set.of("tls"),
          "compression", Set.of("compression", "limits"),
          "connection", Set.of("connection", "limits"),
          "exchange", Set.of("exchange", "connection", "compression", "limits"),
          "http1", Set.of("http1", "exchange", "connection", "limits"),
          "http2", Set.of("http2", "exchange", "connection", "limits"),
          "listen", Set.of("listen", "http1", "http2", "connection", "limits", "tls"));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/muster-testing"))
          .withImportOption(location -> !location.contains("/testkit/testing"))
          .withImportOption(location -> !location.contains("dev/muster/it/"))
          .importLocations(locations());

  /** What is on the class path, and the module whose jar has everything a second time. */
  private static Set<Location> locations() {
    var locations = new HashSet<>(Locations.ofPackage("dev.muster"));
    var runtime = Path.of("..", "..", "testkit", "runtime", "target", "classes");
    if (Files.isDirectory(runtime)) {
      locations.add(Location.of(runtime));
    }
    return locations;
  }

  @Test
  void modulesUseOnlyThoseBeforeThem() {
    Set<String> wrong = new TreeSet<>();
    for (var origin : CLASSES) {
      int from = position(origin);
      for (var dependency : origin.getDirectDependenciesFromSelf()) {
        int to = position(dependency.getTargetClass());
        if (to > from && from >= 0) {
          wrong.add(origin.getName() + " uses " + dependency.getTargetClass().getName());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("dev.muster.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void protocolsKnowTheConnectionAndNotOneAnother() {
    Set<String> wrong = new TreeSet<>();
    for (var origin : CLASSES) {
      var known = HTTP_PACKAGES.get(httpPackage(origin));
      for (var dependency : origin.getDirectDependenciesFromSelf()) {
        var target = httpPackage(dependency.getTargetClass());
        if (known != null && !target.isEmpty() && !known.contains(target)) {
          wrong.add(origin.getName() + " uses " + dependency.getTargetClass().getName());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(CLASSES)
        .extracting(ArchitectureTest::httpPackage)
        .containsAll(HTTP_PACKAGES.keySet());
  }

  /** The package within {@code http}, or "" for what is not in one of these. */
  private static String httpPackage(JavaClass type) {
    var root = ROOT + "http.";
    var name = type.getPackageName();
    return name.startsWith(root) ? name.substring(root.length()) : "";
  }

  /** {@code -Dmuster.architecture.draw=true} draws the page again. */
  @Test
  void thePageShowsWhatIsThere() throws IOException {
    var page = Path.of("..", "..", "docs", "concepts", "architecture.md");
    var drawn = new ArchitecturePage(MODULES, CLASSES).text();
    if (Boolean.getBoolean("muster.architecture.draw")) {
      Files.writeString(page, drawn);
    }
    assertThat(Files.readString(page))
        .as("docs/concepts/architecture.md; -Dmuster.architecture.draw=true draws it again")
        .isEqualTo(drawn);
  }

  @Test
  void controllersAndTheLoadGeneratorUseTheApiOnly() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "dev.muster.controllers..", "dev.muster.multicluster..", "dev.muster.bench..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.muster.store..",
            "dev.muster.replica..",
            "dev.muster.types..",
            "dev.muster.registry..",
            "dev.muster.server..")
        .check(CLASSES);
  }

  /**
   * A rule that asks for the name in the request misses the members of a collection that is
   * deleted, so only what shows requests as kube-apiserver does asks for it.
   */
  @Test
  void rulesAskForTheNameOfTheObjectAndNotOfTheRequest() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(AdmissionRequest.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(AdmissionDenial.class.getName())
        .and()
        .doNotHaveFullyQualifiedName(AdmissionAttributes.class.getName())
        .and()
        .resideOutsideOfPackage(NodeRestriction.class.getPackageName())
        .should()
        .callMethod(AdmissionRequest.class, "requestedName")
        .check(CLASSES);
  }

  @Test
  void namesSayWhatThingsDo() {
    assertThat(CLASSES)
        .extracting(JavaClass::getSimpleName)
        .noneMatch(name -> name.matches(".*(Util|Utils|Helper|Helpers|Impl|Common|Misc)"));
    assertThat(CLASSES)
        .extracting(JavaClass::getPackageName)
        .noneMatch(name -> name.matches(".*\\.(util|utils|common|impl|helpers|misc)(\\..*)?"));
  }

  @Test
  void noNameStandsForTwoThings() {
    assertThat(CLASSES.stream().filter(JavaClass::isTopLevelClass))
        .extracting(JavaClass::getSimpleName)
        .filteredOn(name -> !name.equals("package-info"))
        // The command, what starts a cluster in a test, and the annotation that asks for one.
        .filteredOn(name -> !name.equals("Muster"))
        .doesNotHaveDuplicates();
  }

  @Test
  void everyClassBelongsToAModule() {
    assertThat(CLASSES).allMatch(type -> position(type) >= 0, "is in a package of a known module");
  }

  private static int position(JavaClass type) {
    var name = type.getPackageName();
    if (!name.startsWith(ROOT)) {
      return -1;
    }
    return MODULES.indexOf(name.substring(ROOT.length()).split("\\.")[0]);
  }
}
