package dev.muster.it;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The page that shows which module and which package uses which, as the classes have it. */
final class ArchitecturePage {
  private static final String ROOT = "dev.muster.";
  private static final String BEGINNING =
      """
      # Modules and packages

      Drawn by the build: `ArchitectureTest` says when this page is out of date, and how to draw it \
      again. An arrow leads from a module to one that it uses; what is reached by other arrows is \
      left out. No two modules and no two packages use one another.

      ```mermaid
      graph TD
      """;

  private final List<String> modules;
  private final Map<String, Set<String>> uses = new TreeMap<>();
  private final Map<String, Integer> sizes = new TreeMap<>();

  /**
   * @param modules in the order in which a reader meets them
   */
  ArchitecturePage(List<String> modules, JavaClasses classes) {
    this.modules = modules;
    for (var type : classes) {
      var from = packageOf(type);
      uses.computeIfAbsent(from, ignored -> new TreeSet<>());
      if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
        sizes.merge(from, 1, Integer::sum);
      }
      for (var dependency : type.getDirectDependenciesFromSelf()) {
        var to = packageOf(dependency.getTargetClass());
        if (!to.isEmpty() && !to.equals(from)) {
          uses.get(from).add(to);
        }
      }
    }
  }

  /** Without the beginning that all of ours share; "" for the packages of others. */
  private static String packageOf(JavaClass type) {
    var name = type.getBaseComponentType().getPackageName();
    return name.startsWith(ROOT) ? name.substring(ROOT.length()) : "";
  }

  private static String moduleOf(String name) {
    return name.split("\\.")[0];
  }

  String text() {
    var text = new StringBuilder(BEGINNING);
    var direct = moduleUses();
    for (var module : modules) {
      text.append("  ").append(module).append('\n');
      for (var used : withoutReached(direct, module)) {
        text.append("  ").append(module).append(" --> ").append(used).append('\n');
      }
    }
    text.append("```\n");
    for (var module : modules) {
      text.append("\n## ")
          .append(module)
          .append("\n\n| package | classes | uses |\n|---|---|---|\n");
      uses.forEach(
          (name, used) -> {
            if (moduleOf(name).equals(module)) {
              text.append("| `%s` | %d | %s |\n".formatted(name, sizes.get(name), shown(used)));
            }
          });
    }
    return text.toString();
  }

  private Map<String, Set<String>> moduleUses() {
    var direct = new LinkedHashMap<String, Set<String>>();
    modules.forEach(module -> direct.put(module, new TreeSet<>()));
    uses.forEach(
        (from, used) ->
            used.stream()
                .map(ArchitecturePage::moduleOf)
                .filter(to -> !to.equals(moduleOf(from)))
                .forEach(direct.getOrDefault(moduleOf(from), new TreeSet<>())::add));
    return direct;
  }

  /** What a module uses and does not reach through another that it uses. */
  private static Set<String> withoutReached(Map<String, Set<String>> direct, String module) {
    var all = direct.getOrDefault(module, Set.of());
    var left = new TreeSet<>(all);
    for (var used : all) {
      left.removeAll(reached(direct, direct.getOrDefault(used, Set.of())));
    }
    return left;
  }

  private static Set<String> reached(Map<String, Set<String>> direct, Collection<String> from) {
    var all = new TreeSet<>(from);
    from.forEach(one -> all.addAll(reached(direct, direct.getOrDefault(one, Set.of()))));
    return all;
  }

  private static String shown(Set<String> packages) {
    return packages.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
  }
}
