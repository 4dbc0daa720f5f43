package dev.muster.registry;

/** The words that clients know from kube-apiserver's storage. */
final class StorageErrors {
  private StorageErrors() {}

  /** An object that is not the one that the client means. */
  static String precondition(String key, String what, String wanted, String actual) {
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
