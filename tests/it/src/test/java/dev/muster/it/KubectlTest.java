package dev.muster.it;

import dev.muster.testing.NeedsProgramCondition;
import dev.muster.testing.Programs;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test with a kubectl: run once with each of {@link Kubectl#tested} that is new enough, skipped
 * with the reason where the machine has none.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(KubectlTest.Versions.class)
@ExtendWith(KubectlTest.Versions.class)
public @interface KubectlTest {
  /** The oldest kubectl that can do what the test does; Debian 12 has 1.20. */
  String from() default "1.20";

  /** Whether the newest kubectl is enough. */
  boolean newest() default false;

  /** Those that a test is run with. */
  final class Versions implements ArgumentsProvider, ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return test(context)
          .map(test -> NeedsProgramCondition.evaluate("kubectl", test.from(), newest()))
          .orElse(ConditionEvaluationResult.enabled("no test with a kubectl"));
    }

    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      var test = test(context).orElseThrow();
      var oldest = Version.parse(test.from());
      var all =
          Kubectl.tested().stream()
              .filter(program -> version(program).orElseThrow().compareTo(oldest) >= 0)
              .toList();
      return (test.newest() ? List.of(all.getLast()) : all).stream().map(Arguments::of);
    }

    private static Optional<KubectlTest> test(ExtensionContext context) {
      return AnnotationSupport.findAnnotation(context.getElement(), KubectlTest.class);
    }

    private static Optional<Version> newest() {
      return Kubectl.versions().stream()
          .flatMap(program -> version(program).stream())
          .max(Comparator.naturalOrder());
    }

    private static Optional<Version> version(Path program) {
      return Programs.version("kubectl", program.toString());
    }
  }
}
