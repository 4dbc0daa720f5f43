package dev.muster.fleet.identity;

import dev.muster.model.GroupVersionResource;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an identity Lease says, whoever wrote it: a server of ours or another implementation's.
 *
 * @param holder the ID of the server; of kube-apiserver, the Lease's name and a UUID
 * @param renewed null when it was never renewed
 * @param duration null when the Lease does not say
 * @param interval how often its server renews it
 * @param hash what its server serves; "" when it does not take part in coordinated discovery
 * @param peerAddress where other servers of the fleet reach it; "" when it does not say
 */
public record IdentityLease(
    String name,
    String uid,
    String holder,
    String hostname,
    @Nullable Instant acquired,
    @Nullable Instant renewed,
    @Nullable Duration duration,
    Duration interval,
    String hash,
    String peerAddress) {

  /** The label that identity Leases carry, and its value. */
  public static final String LABEL = "apiserver.kubernetes.io/identity";

  public static final String LABEL_VALUE = "kube-apiserver";

  /** Says how often a Lease is renewed, for those who ask sooner than its duration. */
  public static final String INTERVAL = "muster.dev/renew-interval-seconds";

  /** Says where the server of a Lease is reached, separated by commas. */
  public static final String ADDRESSES = "muster.dev/advertised-addresses";

  /** Says what the server of a Lease serves, and with that, that it keeps a row that says so. */
  public static final String HASH = "muster.dev/discovery-hash";

  /** Says where other servers of the fleet reach the server of a Lease. */
  private static final String PEER_ADDRESS = "kubernetes.io/peer-advertise-address";

  static final GroupVersionResource RESOURCE =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  /** Where Leases lie in the store. */
  static final String STORAGE = "/leases";

  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int USUAL_INTERVAL = 10;

  /** What says more was written by hand, and must not keep a dead server in the fleet. */
  static final int LONGEST_INTERVAL = 300;

  /**
   * What a server says of itself beside its ID.
   *
   * @param addresses where it is reached, separated by commas; "" when that is not known
   * @param peerAddress where other servers of the fleet reach it; "" when they are not to
   * @param hash what it serves; "" when it does not tell
   */
  record Presence(String addresses, String peerAddress, String hash) {}

  /** Reads a Lease object. */
  public static IdentityLease read(JsonObject lease) {
    var metadata = lease.object("metadata");
    var spec = lease.object("spec");
    long duration = spec.integer("leaseDurationSeconds", 0);
    return new IdentityLease(
        metadata.string("name"),
        metadata.string("uid"),
        spec.string("holderIdentity"),
        metadata.object("labels").string(HOSTNAME),
        Timestamps.read(spec.get("acquireTime")),
        Timestamps.read(spec.get("renewTime")),
        duration > 0 ? Duration.ofSeconds(duration) : null,
        interval(metadata.object("annotations").string(INTERVAL)),
        metadata.object("annotations").string(HASH),
        metadata.object("annotations").string(PEER_ADDRESS));
  }

  private static Duration interval(String text) {
    try {
      int seconds = Integer.parseInt(text);
      boolean plausible = seconds >= 1 && seconds <= LONGEST_INTERVAL;
      return Duration.ofSeconds(plausible ? seconds : USUAL_INTERVAL);
    } catch (NumberFormatException e) {
      return Duration.ofSeconds(USUAL_INTERVAL);
    }
  }

  /** Whether the Lease may be collected at that time. */
  public boolean expired(Instant now) {
    return renewed == null || duration == null || now.isAfter(renewed.plus(duration));
  }

  /** The Lease of a server that has just come. */
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

  /** The Lease renewed, with everything else that it should say as it should be. */
  static JsonObject renewed(
      JsonObject lease, ServerId id, IdentityOptions options, Presence presence, Instant now) {
    var metadata = lease.object("metadata");
    var labels =
        metadata.object("labels").with(LABEL, LABEL_VALUE).with(HOSTNAME, id.hostnameLabel());
    var annotations =
        metadata.object("annotations").with(INTERVAL, Integer.toString(options.renewSeconds()));
    if (!presence.addresses().isEmpty()) {
      annotations = annotations.with(ADDRESSES, presence.addresses());
    }
    annotations = annotated(annotations, PEER_ADDRESS, presence.peerAddress());
    annotations = annotated(annotations, HASH, presence.hash());
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
