package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The walk in {@code docs/contributing/request-path.md} names classes and packages that are there.
 */
class RequestPathPageTest {
  private static final Pattern WORD = Pattern.compile("`([^`]+)`");

  /** A class with or without (the end of) its package, and perhaps one of its methods. */
  private static final Pattern CLASS =
      Pattern.compile("((?:[a-z][a-z0-9]*\\.)*[A-Z]\\w*)(?:\\.([a-z]\\w*))?(?:\\(\\))?");

  private static final Pattern PACKAGE = Pattern.compile("[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)+");

  /** Kubernetes' own words. */
  private static final Set<String> KINDS = Set.of("Status");

  @Test
  void namesWhatIsThere() throws IOException {
    var classes =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.muster");
    var packages = new HashSet<String>();
    classes.forEach(type -> packages.add(type.getPackageName()));
    var missing = new TreeSet<String>();
    var words =
        WORD.matcher(
            Files.readString(Path.of("..", "..", "docs", "contributing", "request-path.md")));
    int found = 0;
    while (words.find()) {
      var word = words.group(1);
      var name = CLASS.matcher(word);
      if (PACKAGE.matcher(word).matches()) {
        if (packages.stream().noneMatch(known -> known.endsWith("." + word))) {
          missing.add(word);
        }
      } else if (name.matches() && !KINDS.contains(word)) {
        found++;
        if (classes.stream().noneMatch(type -> isMeant(type, name.group(1), name.group(2)))) {
          missing.add(word);
        }
      }
    }
    assertThat(missing).as("docs/contributing/request-path.md").isEmpty();
    assertThat(found).isGreaterThan(100);
  }

  private static boolean isMeant(JavaClass type, String name, @Nullable String method) {
    return type.getFullName().replace('$', '.').endsWith("." + name)
        && (method == null
            || type.getAllMethods().stream().anyMatch(known -> known.getName().equals(method)));
  }
}
