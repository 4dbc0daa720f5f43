package dev.muster.junit;

import dev.muster.embedded.MusterOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Gives a test class its own cluster, from before its first test until after its last.
 *
 * <p>On a class, the extension injects fields and parameters of the types {@link
 * dev.muster.embedded.TestCluster}, {@code KubernetesClient} (fabric8's) and {@code ApiClient} (the
 * official library's), unless the test has already set them.
 *
 * <p>On a field or parameter, the extension injects a value for the cluster of that name. In
 * addition to the types above, a {@code String} receives a kubeconfig and a {@code Path} the file
 * with it. Each name is another cluster. Give the settings of a cluster only once.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@ExtendWith(MusterExtension.class)
@ResourceLock(providers = OneTestAtATime.class)
public @interface Muster {
  /** The name of the cluster. */
  String cluster() default "";

  /** The number of API servers that share the cluster. */
  int servers() default 1;

  /** Which controllers run, as in {@code --controllers}; {@code {}} for none. */
  String[] controllers() default "*";

  /** Files, or else class path resources, to load first; definitions before the rest. */
  String[] manifests() default {};

  /** Annotated classes of custom resources whose definitions are loaded first. */
  Class<?>[] definitions() default {};

  /**
   * Flags of kube-apiserver for every API server, such as {@code "--event-ttl=5m"}, except those
   * that the cluster sets itself: addresses, certificates, tokens, the store and logs.
   */
  String[] flags() default {};

  /**
   * Sets options that annotations cannot express, such as admission rules. The class needs a
   * constructor without parameters.
   */
  Class<? extends UnaryOperator<MusterOptions>> options() default Unchanged.class;

  Reset reset() default Reset.BEFORE_EACH;

  /** Leaves the options as they are. */
  final class Unchanged implements UnaryOperator<MusterOptions> {
    @Override
    public MusterOptions apply(MusterOptions options) {
      return options;
    }
  }
}
