package dev.muster.server.options.flag;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The command-line flag that sets a record component; adding a component adds its flag. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Flag {
  /** Without its dashes. */
  String name();

  String help();

  /** In what its texts are read otherwise than those of other flags with a value of its type. */
  Form[] forms() default {};

  /** What its value is a file of; must be said of every flag that names files. */
  FileKind file() default FileKind.NONE;

  /** Of a private key: the name of the flag with its certificate. */
  String keyOf() default "";

  /** What kube-apiserver does with the texts of some of its flags only. */
  enum Form {
    /** A list whose elements are not separated by commas: each use of the flag adds one. */
    ELEMENT_PER_USE,
    /** A list of which the last use of the flag counts, not all of them together. */
    LAST_USE_COUNTS,
    /** The empty text means what holds without the flag. */
    EMPTY_IS_DEFAULT,
    /** A map whose keys may stand alone, and are true then, unless they stand for many versions. */
    RUNTIME_CONFIG,
    /** A map whose keys need a value, and may begin with {@code kube:}. */
    FEATURE_GATES
  }
}
