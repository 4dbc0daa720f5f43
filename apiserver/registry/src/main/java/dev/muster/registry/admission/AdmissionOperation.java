package dev.muster.registry.admission;

/** The operation of a request, by admission's names. */
public enum AdmissionOperation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
