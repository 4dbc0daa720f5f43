package dev.muster.server.options.flag;

/** What the file is that a flag names. All but the last three are looked at before a start. */
public enum FileKind {
  /** The flag names no file. */
  NONE,
  /** PEM with at least one certificate: authorities, or a certificate and those that follow it. */
  CERTIFICATES,
  /** PEM with a private key; {@link Flag#keyOf} names the flag of its certificate. */
  PRIVATE_KEY,
  /** PEM with public or private keys. */
  PUBLIC_KEYS,
  /** A certificate and its key, separated by a comma. */
  CERTIFICATE_AND_KEY,
  /** Text that a reader of its own understands; must not be empty. */
  TEXT,
  /** A kubeconfig that a client reads when it connects. */
  KUBECONFIG,
  /** A folder, made when it is missing. */
  FOLDER,
  /** A file that is written. */
  OUTPUT
}
