package dev.muster.junit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Prevents the tests of a class from running in parallel if its clusters are reset between tests.
 */
public final class OneTestAtATime implements ResourceLocksProvider {
  @Override
  public Set<Lock> provideForMethod(
      List<Class<?>> enclosingClasses, Class<?> testClass, Method testMethod) {
    var outermost = enclosingClasses.isEmpty() ? testClass : enclosingClasses.getFirst();
    var annotation = AnnotationSupport.findAnnotation(outermost, Muster.class);
    boolean resets = annotation.isEmpty() || annotation.get().reset() == Reset.BEFORE_EACH;
    return resets
        ? Set.of(new Lock("dev.muster:" + outermost.getName(), ResourceAccessMode.READ_WRITE))
        : Set.of();
  }
}
