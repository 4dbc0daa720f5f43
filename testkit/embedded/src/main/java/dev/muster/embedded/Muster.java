package dev.muster.embedded;

/** Starts control planes inside this process. */
public final class Muster {
  private Muster() {}

  /** A cluster of one API server, with all controllers. */
  public static TestCluster start() {
    return start(MusterOptions.defaults());
  }

  /**
   * Starts a cluster of its own, on free ports of the loopback interface and in memory only, and
   * returns when it is ready: every start is another cluster, and any number may run at a time.
   *
   * @throws IllegalArgumentException when the options name something that is not there
   * @throws IllegalStateException when it does not become ready
   */
  public static TestCluster start(MusterOptions options) {
    return TestCluster.start(options);
  }
}
