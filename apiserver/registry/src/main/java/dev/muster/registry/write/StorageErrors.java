package dev.muster.registry.write;

/** Error messages of kube-apiserver's storage. */
public final class StorageErrors {
  private StorageErrors() {}

  /** The message for a precondition that failed. */
  public static String precondition(String key, String what, String wanted, String actual) {
    return "StorageError: invalid object, Code: 4, Key: "
        + key
        + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
        + what
        + " in precondition: "
        + wanted
        + ", "
        + what
        + " in object meta: "
        + actual;
  }
}
