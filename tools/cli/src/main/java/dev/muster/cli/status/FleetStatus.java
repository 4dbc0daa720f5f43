package dev.muster.cli.status;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a whole fleet, as reported by one API server.
 *
 * @param askedUrl the server that answered
 * @param consistent the consistency in its discovery; empty when it does not report it
 * @param endpoints the addresses of the {@code kubernetes} Service by family
 * @param cluster the cluster's identity
 * @param now by this machine's clock
 * @param leader the active controller manager; null when there is none
 * @param askedClock the answering server's clock; null when it did not report it
 */
public record FleetStatus(
    String askedUrl,
    String version,
    Instant now,
    List<Server> servers,
    Optional<Boolean> consistent,
    List<String> serviceAddresses,
    SortedMap<String, List<String>> endpoints,
    Cluster cluster,
    @Nullable Leader leader,
    Health health,
    @Nullable Instant askedClock) {

  /** The check that fails while the store refuses writes. */
  static final String STORAGE_WRITES = "storage-writes";

  /** How a server's discovery hash compares with the others'. */
  public enum Agreement {
    /** Its hash is the most common one. */
    OF_MOST,
    /** Another hash is more common. */
    OF_FEWER,
    /** It has no hash, or no hash is the most common one. */
    UNDECIDED
  }

  /** The state of a server. */
  public enum State {
    /** It renewed its Lease within three intervals. */
    LIVE,
    /** It did not; it hangs, lost the store or is gone. */
    LATE,
    /** Its Lease has expired and waits for the collector. */
    EXPIRED,
    /** It reports its discovery hash, but has no Lease. */
    NO_LEASE;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One API server.
   *
   * @param heartbeat its last Lease renewal, by its own clock
   * @param silence the time since an observed renewal; null when its Lease was not observed
   * @param hash of its discovery; "" when it does not report one
   * @param agrees how its hash compares with the others'
   */
  public record Server(
      String id,
      String hostname,
      State state,
      @Nullable Instant started,
      @Nullable Instant heartbeat,
      @Nullable Duration silence,
      List<String> addresses,
      String hash,
      Agreement agrees) {

    /** Whether its hash is the most common one. */
    boolean isOfMost() {
      return agrees == Agreement.OF_MOST;
    }

    /** The offset of its clock from this machine's, negative if it is behind; null when unknown. */
    @Nullable Duration clockOffset(Instant now) {
      return heartbeat == null || silence == null || state != State.LIVE
          ? null
          : Duration.between(now.minus(silence), heartbeat);
    }
  }

  /**
   * The cluster's identity.
   *
   * @param id "" when it has none
   * @param clusterSet "" when it is in none
   */
  public record Cluster(String id, String clusterSet) {}

  /**
   * The leading controller manager.
   *
   * @param acquired by the leader's own clock
   * @param renewed by the leader's own clock
   * @param silence the observed time without a renewal; zero after an observed renewal, null when
   *     it was not observed
   * @param clockOffset the offset of its clock from this machine's, negative if it is behind; null
   *     when it was not observed
   */
  public record Leader(
      String lease,
      String holder,
      @Nullable Instant acquired,
      @Nullable Instant renewed,
      Leadership state,
      @Nullable Duration silence,
      @Nullable Duration clockOffset) {}

  /** The state of the leading controller manager. */
  public enum Leadership {
    LIVE,
    /** Its renewal time is not current, and the observation was too short to decide. */
    DOUBTFUL,
    /** No renewal was observed for the duration of its Lease. */
    SILENT
  }

  /** The state of the store, as the answering server reports it. */
  public enum StoreState {
    OK,
    /** Reachable, but refuses some writes, for example because it is full. */
    READ_ONLY,
    UNREACHED,
    /** The server does not report it. */
    UNKNOWN
  }

  /**
   * A failing check.
   *
   * @param reason "" when the server does not report it
   */
  public record FailingCheck(String name, String reason) {}

  /**
   * The health of the answering server.
   *
   * @param answer the first line of its health response, for users
   */
  public record Health(boolean ready, StoreState store, List<FailingCheck> failing, String answer) {
    /** Why that check fails; "" when it passes or the server does not report the reason. */
    String reason(String check) {
      return failing.stream()
          .filter(each -> each.name().equals(check))
          .map(FailingCheck::reason)
          .findFirst()
          .orElse("");
    }
  }

  /** The servers by discovery hash, without those that report none. */
  SortedMap<String, List<String>> byHash() {
    var found = new TreeMap<String, List<String>>();
    for (var server : servers) {
      if (!server.hash().isEmpty()) {
        found.computeIfAbsent(server.hash(), hash -> new ArrayList<>()).add(server.id());
      }
    }
    return found;
  }

  /** The problems of the fleet, causes first. */
  List<StatusProblem> problems() {
    return StatusProblems.of(this);
  }

  /** Live servers that report no discovery hash. */
  List<String> silent() {
    return servers.stream()
        .filter(server -> server.hash().isEmpty() && server.state() != State.EXPIRED)
        .map(Server::id)
        .toList();
  }
}
