package dev.muster.server.options.flag;

/**
 * The type of file that a flag names. All but the last three are checked before the server starts.
 */
public enum FileKind {
  /** The flag names no file. */
  NONE,
  /** PEM with at least one certificate: CAs, or a certificate and its intermediates. */
  CERTIFICATES,
  /** PEM with a private key; {@link Flag#keyOf} names the flag of its certificate. */
  PRIVATE_KEY,
  /** PEM with public or private keys. */
  PUBLIC_KEYS,
  /** A certificate and its key, separated by a comma. */
  CERTIFICATE_AND_KEY,
  /** Text with a parser of its own; must not be empty. */
  TEXT,
  /** A kubeconfig that a client reads when it connects. */
  KUBECONFIG,
  /** A folder, created when it is missing. */
  FOLDER,
  /** A file that is written. */
  OUTPUT
}
