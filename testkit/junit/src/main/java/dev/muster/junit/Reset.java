package dev.muster.junit;

/** What the tests of a class find in their cluster. */
public enum Reset {
  /**
   * What was there before the first test method, that is, after the start and {@code @BeforeAll}.
   * Tests of the class run one after another, also where JUnit runs tests in parallel.
   */
  BEFORE_EACH,

  /** What the tests before left behind. Tests may run in parallel and should keep apart. */
  NEVER
}
