package dev.muster.authentication.token;

import dev.muster.authentication.RefusedCredentials;
import dev.muster.model.Timestamps;
import dev.muster.types.ClusterView;
import java.time.Duration;
import java.time.Instant;

/**
 * An object that a service account token is bound to; the token is valid while the object exists.
 *
 * @param kind as in messages: {@code service account}, {@code pod}, {@code secret}, {@code node}
 * @param namespace "" for a node
 */
record BoundObject(String kind, String collection, String namespace, String name, String uid) {
  /** How long a token stays valid after its object was deleted, and after its own expiry. */
  static final Duration LEEWAY = Duration.ofMinutes(1);

  private static final String INVALIDATED = "service account token has been invalidated";

  static BoundObject serviceAccount(String namespace, String name, String uid) {
    return new BoundObject("service account", "/serviceaccounts", namespace, name, uid);
  }

  static BoundObject pod(String namespace, String name, String uid) {
    return new BoundObject("pod", "/pods", namespace, name, uid);
  }

  static BoundObject secret(String namespace, String name, String uid) {
    return new BoundObject("secret", "/secrets", namespace, name, uid);
  }

  static BoundObject node(String name, String uid) {
    return new BoundObject("node", "/minions", "", name, uid);
  }

  private boolean isAccount() {
    return kind.equals("service account");
  }

  /** The object's revision; 0 when it does not exist. */
  long revision(ClusterView view) {
    return view.revision(collection, namespace, name);
  }

  /**
   * Checks that the object still exists.
   *
   * @return until when the object lets the token be used
   * @throws RefusedCredentials when the object is deleted, terminating or replaced by one of the
   *     same name
   */
  Instant check(ClusterView view, Instant now) {
    var object = view.get(collection, namespace, name);
    if (object == null) {
      throw RefusedCredentials.byCluster(
          isAccount() ? "serviceaccounts \"" + name + "\" not found" : INVALIDATED);
    }
    var metadata = object.object("metadata");
    if (!metadata.string("uid").equals(uid)) {
      throw RefusedCredentials.byCluster(mismatch(metadata.string("uid")));
    }
    var deleted = Timestamps.read(metadata.get("deletionTimestamp"));
    if (deleted == null) {
      return Instant.MAX;
    }
    var end = deleted.plus(LEEWAY);
    if (end.isBefore(now)) {
      throw RefusedCredentials.byCluster(
          isAccount()
              ? "service account " + namespace + "/" + name + " has been deleted"
              : INVALIDATED);
    }
    return end;
  }

  private String mismatch(String found) {
    return isAccount()
        ? "service account UID (" + found + ") does not match claim (" + uid + ")"
        : kind
            + " UID ("
            + found
            + ") does not match service account "
            + kind
            + " ref claim ("
            + uid
            + ")";
  }
}
