package dev.muster.embedded;

/** Starts test clusters in this process. */
public final class Muster {
  private Muster() {}

  /** A cluster of one API server, with all controllers. */
  public static TestCluster start() {
    return start(MusterOptions.defaults());
  }

  /**
   * Starts a cluster on free ports of the loopback interface, in memory only, and returns when it
   * is ready. Every start creates another cluster; any number may run at a time.
   *
   * @throws IllegalArgumentException for an invalid option
   * @throws IllegalStateException when the cluster does not become ready
   */
  public static TestCluster start(MusterOptions options) {
    return TestCluster.start(options);
  }
}
