package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.Nullable;

/** Why a value could not be encrypted or decrypted. The message contains no part of the value. */
public final class TransformException extends Exception {
  /** The status in metrics for a failure without a remote call. */
  public static final String LOCAL = "unknown-non-grpc";

  private final String status;

  public TransformException(String message) {
    this(message, LOCAL, null);
  }

  /**
   * @param status the status in metrics of the call that failed
   */
  public TransformException(String message, String status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  public String status() {
    return status;
  }

  /** The message, never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
