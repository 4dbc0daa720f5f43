package dev.muster.testing;

import java.lang.module.ModuleDescriptor.Version;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips tests that {@linkplain NeedsProgram need a program} that is not installed. */
public final class NeedsProgramCondition implements ExecutionCondition {
  private static final ConditionEvaluationResult ALL_THERE =
      ConditionEvaluationResult.enabled("all programs are there");

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return AnnotationSupport.findRepeatableAnnotations(context.getElement(), NeedsProgram.class)
        .stream()
        .map(need -> evaluate(need.value(), need.from(), Programs.version(need.value())))
        .filter(ConditionEvaluationResult::isDisabled)
        .findFirst()
        .orElse(ALL_THERE);
  }

  /** The decision for the installed version, if any. */
  public static ConditionEvaluationResult evaluate(
      String program, String from, Optional<Version> there) {
    if (there.isPresent() && there.get().compareTo(Version.parse(from)) >= 0) {
      return ALL_THERE;
    }
    var wanted = from.equals("0") ? program : program + " " + from + " or newer";
    return ConditionEvaluationResult.disabled(
        "needs %s, and there is %s (Debian's package is %s)"
            .formatted(
                wanted,
                there.map(Version::toString).orElse("none"),
                Programs.debianPackage(program)));
  }
}
