package dev.muster.junit;

/** The state in which each test of a class finds its cluster. */
public enum Reset {
  /**
   * The state before the first test method, that is, after the start and {@code @BeforeAll}. The
   * tests of the class run in sequence, even if JUnit runs tests in parallel.
   */
  BEFORE_EACH,

  /**
   * The state that the former tests left. Tests may run in parallel and should use separate
   * objects.
   */
  NEVER
}
