package dev.muster.registry.admission;

/** What a request is about to do, as admission names it. */
public enum AdmissionOperation {
  CREATE,
  UPDATE,
  DELETE,
  CONNECT
}
