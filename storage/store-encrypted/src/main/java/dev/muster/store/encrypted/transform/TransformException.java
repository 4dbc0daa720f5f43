package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.Nullable;

/** Why a value could not be encrypted or decrypted, without anything of the value in it. */
public final class TransformException extends Exception {
  /** The status of metrics for what failed without a call to anybody. */
  public static final String LOCAL = "unknown-non-grpc";

  private final String status;

  public TransformException(String message) {
    this(message, LOCAL, null);
  }

  /**
   * @param status how the call ended that this comes from, as metrics show it
   */
  public TransformException(String message, String status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  public String status() {
    return status;
  }

  /** The reason in words. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
