package dev.muster.model.identity;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the identity Lease of an API server says, whichever implementation wrote it. The one parser:
 * servers, controllers and commands read Leases with it.
 *
 * @param version of the object: it changes at every renewal
 * @param holder the ID of the server; of kube-apiserver, the Lease's name and a UUID
 * @param labelled whether it is marked as the identity of an API server
 * @param renewed null when it was never renewed
 * @param duration null when the Lease does not say
 * @param interval how often its server renews it
 * @param addresses where its server says that it is reached, with ports
 * @param hash what its server serves; "" when it does not take part in coordinated discovery
 * @param peerAddress where other servers of the fleet reach it; "" when it does not say
 */
public record IdentityLease(
    String namespace,
    String name,
    String uid,
    String version,
    String holder,
    String hostname,
    boolean labelled,
    @Nullable Instant acquired,
    @Nullable Instant renewed,
    @Nullable Duration duration,
    Duration interval,
    List<String> addresses,
    String hash,
    String peerAddress) {

  /** The label that identity Leases carry, and its value. */
  public static final String LABEL = "apiserver.kubernetes.io/identity";

  public static final String LABEL_VALUE = "kube-apiserver";
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /** Says how often a Lease is renewed, for those who ask sooner than its duration. */
  public static final String INTERVAL = "muster.dev/renew-interval-seconds";

  /** Says where the server of a Lease is reached, separated by commas. */
  public static final String ADDRESSES = "muster.dev/advertised-addresses";

  /** Says what the server of a Lease serves, and with that, that it keeps a row that says so. */
  public static final String HASH = "muster.dev/discovery-hash";

  /** Says where other servers of the fleet reach the server of a Lease. */
  public static final String PEER_ADDRESS = "kubernetes.io/peer-advertise-address";

  /** A server that misses so many renewals hangs or is gone. */
  public static final int MISSED_RENEWALS = 3;

  /** What says more was written by hand, and must not keep a dead server in the fleet. */
  public static final int LONGEST_INTERVAL = 300;

  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(10);

  public IdentityLease {
    addresses = List.copyOf(addresses);
  }

  /** Reads a Lease object. */
  public static IdentityLease read(JsonObject lease) {
    var metadata = lease.object("metadata");
    var labels = metadata.object("labels");
    var annotations = metadata.object("annotations");
    var spec = lease.object("spec");
    long duration = spec.integer("leaseDurationSeconds", 0);
    var addresses = annotations.string(ADDRESSES);
    return new IdentityLease(
        metadata.string("namespace"),
        metadata.string("name"),
        metadata.string("uid"),
        metadata.string("resourceVersion"),
        spec.string("holderIdentity"),
        labels.string(HOSTNAME),
        labels.string(LABEL).equals(LABEL_VALUE),
        Timestamps.read(spec.get("acquireTime")),
        Timestamps.read(spec.get("renewTime")),
        duration > 0 ? Duration.ofSeconds(duration) : null,
        interval(annotations.string(INTERVAL)),
        addresses.isEmpty() ? List.of() : List.of(addresses.split(",")),
        annotations.string(HASH),
        annotations.string(PEER_ADDRESS));
  }

  private static Duration interval(String text) {
    try {
      int seconds = Integer.parseInt(text);
      boolean plausible = seconds >= 1 && seconds <= LONGEST_INTERVAL;
      return plausible ? Duration.ofSeconds(seconds) : USUAL_INTERVAL;
    } catch (NumberFormatException e) {
      return USUAL_INTERVAL;
    }
  }

  /** The server's ID; the Lease's name where it does not say. */
  public String id() {
    return holder.isEmpty() ? name : holder;
  }

  /** After how long without a renewal its server hangs or is gone. */
  public Duration grace() {
    return interval.multipliedBy(MISSED_RENEWALS);
  }

  /** Whether the Lease has expired by what it says and by that clock. */
  public boolean expired(Instant now) {
    return renewed == null || duration == null || now.isAfter(renewed.plus(duration));
  }
}
