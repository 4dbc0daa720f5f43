package dev.muster.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Declares a program of {@link Programs} that a test runs, and its oldest supported version. On a
 * machine without it the test is skipped with the reason.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Repeatable(NeedsProgram.All.class)
@ExtendWith(NeedsProgramCondition.class)
public @interface NeedsProgram {
  /** The name, such as {@code etcd}. */
  String value();

  /** The oldest supported version. */
  String from() default "0";

  /** Several programs. */
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @Inherited
  @ExtendWith(NeedsProgramCondition.class)
  @interface All {
    NeedsProgram[] value();
  }
}
