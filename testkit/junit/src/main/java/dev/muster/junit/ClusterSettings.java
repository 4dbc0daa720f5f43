package dev.muster.junit;

import dev.muster.embedded.MusterOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** The clusters that {@link Muster} annotations declare. */
record ClusterSettings(Reset reset, MusterOptions options) {

  /** The clusters that a test class declares on itself, its fields and its enclosing classes. */
  static Map<String, ClusterSettings> of(Class<?> testClass) {
    var byName = new LinkedHashMap<String, List<Muster>>();
    for (var annotation : annotations(testClass)) {
      byName.computeIfAbsent(annotation.cluster(), ignored -> new ArrayList<>()).add(annotation);
    }
    var settings = new LinkedHashMap<String, ClusterSettings>();
    byName.forEach((name, all) -> settings.put(name, of(testClass, name, all)));
    return settings;
  }

  /** Whether the class or an enclosing one has the annotation. */
  static boolean isOnClass(Class<?> testClass) {
    return AnnotationSupport.isAnnotated(testClass, Muster.class)
        || (testClass.getEnclosingClass() != null && isOnClass(testClass.getEnclosingClass()));
  }

  private static List<Muster> annotations(Class<?> testClass) {
    var found = new ArrayList<Muster>();
    if (testClass.getEnclosingClass() != null) {
      found.addAll(annotations(testClass.getEnclosingClass()));
    }
    AnnotationSupport.findAnnotation(testClass, Muster.class).ifPresent(found::add);
    for (var field :
        ReflectionSupport.findFields(testClass, field -> true, HierarchyTraversalMode.TOP_DOWN)) {
      AnnotationSupport.findAnnotation(field, Muster.class).ifPresent(found::add);
    }
    for (var method :
        ReflectionSupport.findMethods(testClass, method -> true, HierarchyTraversalMode.TOP_DOWN)) {
      for (var parameter : method.getParameters()) {
        AnnotationSupport.findAnnotation(parameter, Muster.class).ifPresent(found::add);
      }
    }
    return found;
  }

  /** Some annotations only name a cluster; all others for it must have equal settings. */
  private static ClusterSettings of(Class<?> testClass, String name, List<Muster> annotations) {
    var distinct =
        annotations.stream().filter(annotation -> !isPlain(annotation)).distinct().toList();
    if (distinct.size() > 1) {
      throw new ExtensionConfigurationException(
          "%s: @Muster says different things about the cluster \"%s\""
              .formatted(testClass.getName(), name));
    }
    return distinct.isEmpty() ? plain() : of(distinct.getFirst());
  }

  private static boolean isPlain(Muster annotation) {
    return annotation.options() == Muster.Unchanged.class && of(annotation).equals(plain());
  }

  private static ClusterSettings plain() {
    return new ClusterSettings(Reset.BEFORE_EACH, MusterOptions.defaults());
  }

  private static ClusterSettings of(Muster annotation) {
    var options =
        MusterOptions.defaults()
            .withServers(annotation.servers())
            .withControllers(annotation.controllers())
            .withManifests(annotation.manifests())
            .withDefinitions(annotation.definitions())
            .withFlags(annotation.flags());
    return new ClusterSettings(annotation.reset(), change(annotation).apply(options));
  }

  private static UnaryOperator<MusterOptions> change(Muster annotation) {
    return ReflectionSupport.newInstance(annotation.options());
  }
}
