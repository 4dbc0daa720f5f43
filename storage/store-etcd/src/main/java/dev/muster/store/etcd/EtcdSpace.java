package dev.muster.store.etcd;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Safe for any thread: whether etcd has space for more, as far as commits have noticed. */
final class EtcdSpace {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdStore.class);

  private volatile String trouble = "";

  /** etcd refused to write something. */
  void isExhausted(EtcdFailure failure) {
    if (trouble.isEmpty()) {
      LOG.warn("etcd has no space and takes deletes only: {}", failure.getMessage());
    }
    trouble = "etcd has no space, and only deletes are taken (alarm NOSPACE)";
  }

  /** etcd wrote something. */
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
