package dev.muster.fleet.identity;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.identity.IdentityLease;
import dev.muster.model.json.JsonObject;
import java.time.Instant;

/** The identity Lease that a server writes for itself. */
final class OwnLease {
  static final GroupVersionResource RESOURCE =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  /** The prefix of Leases in the store. */
  static final String STORAGE = "/leases";

  private OwnLease() {}

  /**
   * The content of the Lease besides the ID.
   *
   * @param addresses of the server, separated by commas; "" when unknown
   * @param peerAddress at which peers reach it; "" when they must not
   * @param hash its discovery hash; "" for none
   */
  record Presence(String addresses, String peerAddress, String hash) {}

  /** The first Lease of a server. */
  static JsonObject first(ServerId id, IdentityOptions options, Instant now) {
    return JsonObject.of(
        "apiVersion",
        "coordination.k8s.io/v1",
        "kind",
        "Lease",
        "metadata",
        JsonObject.of("name", id.leaseName(), "namespace", options.namespace()),
        "spec",
        JsonObject.of("acquireTime", Timestamps.formatMicro(now)));
  }

  /** The renewed Lease, with all other fields repaired. */
  static JsonObject renewed(
      JsonObject lease, ServerId id, IdentityOptions options, Presence presence, Instant now) {
    var metadata = lease.object("metadata");
    var labels =
        metadata
            .object("labels")
            .with(IdentityLease.LABEL, IdentityLease.LABEL_VALUE)
            .with(IdentityLease.HOSTNAME, id.hostnameLabel());
    var annotations =
        metadata
            .object("annotations")
            .with(IdentityLease.INTERVAL, Integer.toString(options.renewSeconds()));
    if (!presence.addresses().isEmpty()) {
      annotations = annotations.with(IdentityLease.ADDRESSES, presence.addresses());
    }
    annotations = annotated(annotations, IdentityLease.PEER_ADDRESS, presence.peerAddress());
    annotations = annotated(annotations, IdentityLease.HASH, presence.hash());
    var spec =
        lease
            .object("spec")
            .with("holderIdentity", id.toString())
            .with("leaseDurationSeconds", options.durationSeconds())
            .with("renewTime", Timestamps.formatMicro(now));
    return lease
        .with("metadata", metadata.with("labels", labels).with("annotations", annotations))
        .with("spec", spec);
  }

  private static JsonObject annotated(JsonObject annotations, String name, String value) {
    return value.isEmpty() ? annotations.without(name) : annotations.with(name, value);
  }
}
