package dev.muster.model.identity;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of an API server's identity Lease, from Muster or kube-apiserver. Servers,
 * controllers and commands all parse these Leases with this class.
 *
 * @param version the resource version of the Lease, which changes at every renewal
 * @param holder the server identity; for kube-apiserver, the Lease's name and a UUID
 * @param labelled whether the Lease has the label of an API server's identity
 * @param renewed the last renewal; null when there was none
 * @param duration null when the Lease does not declare it
 * @param interval how often the server renews the Lease
 * @param addresses the addresses of the server, with ports
 * @param hash the hash of what the server serves; "" when it does not take part in coordinated
 *     discovery
 * @param peerAddress the address for peers; "" when the Lease does not declare it
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

  /** The label of identity Leases, and its value. */
  public static final String LABEL = "apiserver.kubernetes.io/identity";

  public static final String LABEL_VALUE = "kube-apiserver";
  public static final String HOSTNAME = "kubernetes.io/hostname";

  /**
   * Annotation: the renewal interval of the Lease, for readers that must decide before its duration
   * ends.
   */
  public static final String INTERVAL = "muster.dev/renew-interval-seconds";

  /** Annotation: the addresses of the server, separated by commas. */
  public static final String ADDRESSES = "muster.dev/advertised-addresses";

  /**
   * Annotation: the hash of what the server serves. It also declares that the server keeps a row
   * with that content.
   */
  public static final String HASH = "muster.dev/discovery-hash";

  /** Annotation: the address at which peers reach the server. */
  public static final String PEER_ADDRESS = "kubernetes.io/peer-advertise-address";

  /** A server that misses this many renewals hangs or is gone. */
  public static final int MISSED_RENEWALS = 3;

  /** A longer interval was written by hand, and must not keep a dead server in the fleet. */
  public static final int LONGEST_INTERVAL = 300;

  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(10);

  public IdentityLease {
    addresses = List.copyOf(addresses);
  }

  /** Parses a Lease object. */
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

  /** The server identity; the Lease's name when the Lease has no holder. */
  public String id() {
    return holder.isEmpty() ? name : holder;
  }

  /** The time without a renewal after which the server hangs or is gone. */
  public Duration grace() {
    return interval.multipliedBy(MISSED_RENEWALS);
  }

  /** Whether the Lease has expired by its own duration and that clock. */
  public boolean expired(Instant now) {
    return renewed == null || duration == null || now.isAfter(renewed.plus(duration));
  }
}
