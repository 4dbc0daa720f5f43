package dev.muster.registry.write;

/** The words that clients know from kube-apiserver's storage. */
public final class StorageErrors {
  private StorageErrors() {}

  /** An object that is not the one that the client means. */
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
