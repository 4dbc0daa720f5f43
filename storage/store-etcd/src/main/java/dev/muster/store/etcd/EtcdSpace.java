package dev.muster.store.etcd;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether etcd has space left, as seen by commits. Thread-safe. */
final class EtcdSpace {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

  private volatile String trouble = "";

  /** Records that etcd refused a write for lack of space. */
  void isExhausted(EtcdFailure failure) {
    if (trouble.isEmpty()) {
      LOG.warn("etcd has no space and takes deletes only: {}", failure.getMessage());
    }
    trouble = "etcd has no space, and only deletes are taken (alarm NOSPACE)";
  }

  /** Records that etcd accepted a write. */
  void isThere() {
    if (!trouble.isEmpty()) {
      trouble = "";
      LOG.info("etcd has space again");
    }
  }

  String degradedReason() {
    return trouble;
  }
}
