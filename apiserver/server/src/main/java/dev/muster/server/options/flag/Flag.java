package dev.muster.server.options.flag;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The command-line flag that sets a record component. Adding a component adds its flag. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Flag {
  /** Without its dashes. */
  String name();

  String help();

  /** Deviations from how other flags of its type are parsed. */
  Form[] forms() default {};

  /** The type of file that its value names; every flag that names files must state it. */
  FileKind file() default FileKind.NONE;

  /** For a private key: the name of the flag with its certificate. */
  String keyOf() default "";

  /** Special forms of single flags of kube-apiserver. */
  enum Form {
    /** A list whose elements are not separated by commas: each use of the flag adds one. */
    ELEMENT_PER_USE,
    /** A list for which only the last use of the flag counts. */
    LAST_USE_COUNTS,
    /** The empty text means the default. */
    EMPTY_IS_DEFAULT,
    /** A map whose keys may stand alone and then mean true, unless they stand for many versions. */
    RUNTIME_CONFIG,
    /** A map whose keys need a value, and may begin with {@code kube:}. */
    FEATURE_GATES
  }
}
