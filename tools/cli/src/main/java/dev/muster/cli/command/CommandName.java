package dev.muster.cli.command;

import java.io.File;

/** The command that the user typed to run Muster, for hints that can be copied. */
public final class CommandName {
  /** Set by the script that starts the JVM. */
  private static final String PROPERTY = "muster.command";

  private static final String USUAL = "muster";

  private CommandName() {}

  /** Such as {@code ./muster}, {@code muster} or {@code java -jar muster.jar}. */
  public static String text() {
    return of(System.getProperty(PROPERTY, ""), System.getProperty("java.class.path", ""));
  }

  /**
   * @param given by the script; "" without one
   * @param classPath of the JVM
   */
  static String of(String given, String classPath) {
    if (!given.isEmpty()) {
      return quoted(given);
    }
    boolean jar = classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator);
    return jar ? "java -jar " + quoted(classPath) : USUAL;
  }

  private static String quoted(String word) {
    return word.matches("[\\w./~+@%,:=-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
