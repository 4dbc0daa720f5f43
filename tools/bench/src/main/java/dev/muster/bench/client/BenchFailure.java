package dev.muster.bench.client;

/** Why nothing can be measured, in one line. */
public final class BenchFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BenchFailure(String message) {
    super(message);
  }

  public BenchFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
