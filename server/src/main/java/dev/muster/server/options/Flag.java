package dev.muster.server.options;

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
}
