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
 * Gives a test class a cluster of its own, from before its first test until after its last.
 *
 * <p>On a class: fields and parameters of the types {@link dev.muster.embedded.TestCluster}, {@code
 * KubernetesClient} (fabric8's) and {@code ApiClient} (the official library's) are filled in,
 * unless the test has done so itself.
 *
 * <p>On a field or parameter: it is filled in with what belongs to the cluster of that name; beside
 * the types above a {@code String} gets the text of a kubeconfig and a {@code Path} the name of a
 * file with it. Each name is another cluster. Settings stand once for each cluster.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@ExtendWith(MusterExtension.class)
@ResourceLock(providers = OneTestAtATime.class)
public @interface Muster {
  /** Which of several clusters. */
  String cluster() default "";

  /** How many API servers share the cluster. */
  int servers() default 1;

  /** Which controllers run, as in {@code --controllers}; {@code {}} for none. */
  String[] controllers() default "*";

  /** Files, or else class path resources, that are loaded first: definitions before the rest. */
  String[] manifests() default {};

  /** Annotated classes of custom resources whose definitions are loaded first. */
  Class<?>[] definitions() default {};

  /**
   * Flags of kube-apiserver for every API server, such as {@code "--event-ttl=5m"}, but for what
   * the cluster sees to by itself: addresses, certificates, tokens, the store and logs.
   */
  String[] flags() default {};

  /**
   * Sets what annotations cannot say, such as admission rules. Needs a constructor without
   * parameters.
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
