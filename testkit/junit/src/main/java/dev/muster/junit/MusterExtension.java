package dev.muster.junit;

import dev.muster.embedded.TestCluster;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/**
 * The JUnit extension behind {@link Muster}: starts clusters, injects fields and parameters, resets
 * clusters between tests, and reports what a failed test changed. JUnit calls it for several tests
 * at a time; it has no state.
 */
public final class MusterExtension
    implements BeforeAllCallback,
        TestInstancePostProcessor,
        BeforeEachCallback,
        AfterTestExecutionCallback,
        AfterEachCallback,
        ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(MusterExtension.class);
  // By name, because either client library may be absent.
  private static final String CLIENT = "io.fabric8.kubernetes.client.KubernetesClient";
  private static final String NAMESPACED_CLIENT =
      "io.fabric8.kubernetes.client.NamespacedKubernetesClient";
  private static final String OFFICIAL_CLIENT = "io.kubernetes.client.openapi.ApiClient";
  private static final String SHOWN = "shown";

  @Override
  public void beforeAll(ExtensionContext context) {
    var type = context.getRequiredTestClass();
    fill(type, null, started(context), field -> Modifier.isStatic(field.getModifiers()));
  }

  @Override
  public void postProcessTestInstance(Object instance, ExtensionContext context) {
    var clusters = started(context);
    fill(
        instance.getClass(), instance, clusters, field -> !Modifier.isStatic(field.getModifiers()));
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    var clusters = started(context);
    // An extension that an instance field registers comes too late for the callbacks above.
    context
        .getRequiredTestInstances()
        .getAllInstances()
        .forEach(instance -> fill(instance.getClass(), instance, clusters, field -> true));
    clusters.beginTest();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    showFailure(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    showFailure(context);
  }

  /** Reports at the failure, before the test's cleanup removes the evidence. */
  private static void showFailure(ExtensionContext context) {
    var failure = context.getExecutionException();
    var store = context.getStore(NAMESPACE);
    if (failure.isEmpty()
        || failure.get() instanceof TestAbortedException
        || store.get(SHOWN) != null) {
      return;
    }
    store.put(SHOWN, true);
    System.err.printf(
        "%s failed. What it has done to the cluster:%n%s",
        context.getDisplayName(), clusters(context).report());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return parameter.isAnnotated(Muster.class)
        || (isRecognised(type) && ClusterSettings.isOnClass(context.getRequiredTestClass()));
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var name = parameter.findAnnotation(Muster.class).map(Muster::cluster).orElse("");
    return value(parameter.getParameter().getType(), name, started(context));
  }

  private static RunningClusters started(ExtensionContext context) {
    var clusters = clusters(context);
    clusters.start(ClusterSettings.of(context.getRequiredTestClass()));
    return clusters;
  }

  /** Nested classes share the clusters of the outermost one. */
  @SuppressWarnings("deprecation") // The newer method is not in JUnit 5.
  private static RunningClusters clusters(ExtensionContext context) {
    var outermost = context;
    for (var up = context.getParent();
        up.isPresent() && up.get().getTestClass().isPresent();
        up = up.get().getParent()) {
      outermost = up.get();
    }
    return Objects.requireNonNull(
        outermost
            .getStore(NAMESPACE)
            .getOrComputeIfAbsent(
                RunningClusters.class, ignored -> new RunningClusters(), RunningClusters.class));
  }

  private static void fill(
      Class<?> type, @Nullable Object instance, RunningClusters clusters, Predicate<Field> which) {
    boolean onClass = ClusterSettings.isOnClass(type);
    for (var field :
        ReflectionSupport.findFields(
            type,
            field -> which.test(field) && (onClass || isAnnotated(field)),
            HierarchyTraversalMode.TOP_DOWN)) {
      if (isAnnotated(field)
          || (isRecognised(field.getType()) && !Modifier.isFinal(field.getModifiers()))) {
        set(field, instance, clusters);
      }
    }
  }

  private static void set(Field field, @Nullable Object instance, RunningClusters clusters) {
    var name = annotation(field).map(Muster::cluster).orElse("");
    if (Modifier.isFinal(field.getModifiers())) {
      throw new ExtensionConfigurationException("@Muster: " + field + " is final");
    }
    field.setAccessible(true);
    try {
      if (field.get(instance) == null) {
        field.set(instance, value(field.getType(), name, clusters));
      }
    } catch (IllegalAccessException e) {
      throw new ExtensionConfigurationException("@Muster: " + field + " cannot be set", e);
    }
  }

  private static boolean isAnnotated(AnnotatedElement element) {
    return annotation(element).isPresent();
  }

  private static Optional<Muster> annotation(AnnotatedElement element) {
    return AnnotationSupport.findAnnotation(element, Muster.class);
  }

  /** Whether the type alone determines the value to inject. */
  private static boolean isRecognised(Class<?> type) {
    return type == TestCluster.class
        || Set.of(CLIENT, NAMESPACED_CLIENT, OFFICIAL_CLIENT).contains(type.getName());
  }

  private static Object value(Class<?> type, String name, RunningClusters clusters) {
    var cluster = clusters.get(name);
    if (type == TestCluster.class) {
      return cluster;
    }
    if (type == String.class) {
      return cluster.kubeconfig();
    }
    if (type == Path.class) {
      return cluster.kubeconfigFile();
    }
    return switch (type.getName()) {
      case CLIENT -> cluster.client();
      case NAMESPACED_CLIENT -> cluster.client().adapt(NamespacedKubernetesClient.class);
      case OFFICIAL_CLIENT -> clusters.officialClient(name);
      default ->
          throw new ExtensionConfigurationException(
              "@Muster: nothing of a cluster is a " + type.getName());
    };
  }
}
