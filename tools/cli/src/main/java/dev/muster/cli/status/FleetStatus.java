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
 * What one API server says of the whole fleet.
 *
 * @param askedUrl the server that answered
 * @param consistent what its discovery says; empty when it says nothing
 * @param endpoints the addresses of the {@code kubernetes} Service by family
 * @param cluster which cluster it is
 * @param now by the clock of this machine
 * @param leader the controller manager that is active; null when there is none
 * @param askedClock what the clock of the server that answered showed then; null when it did not
 *     say
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

  /** The check that fails while the store takes no writes. */
  static final String STORAGE_WRITES = "storage-writes";

  /** How what a server serves compares with what the others serve. */
  public enum Agreement {
    /** More servers have its hash than any other. */
    OF_MOST,
    /** More servers have another hash. */
    OF_FEWER,
    /** It has no hash, or no hash is more common than all others. */
    UNDECIDED
  }

  /** How a server is. */
  public enum State {
    /** It has renewed its Lease within three intervals. */
    LIVE,
    /** It has not; it hangs, lost the store or is gone. */
    LATE,
    /** Its Lease waits to be collected. */
    EXPIRED,
    /** It reports what it serves, but has no Lease. */
    NO_LEASE;

    String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One API server.
   *
   * @param heartbeat when it renewed its Lease last, by its own clock
   * @param silence how long ago it was seen to renew it; null when nobody has watched it
   * @param hash of what it serves; "" when it does not say
   * @param agrees how its hash compares with those of the others
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

    /** Whether more servers have its hash than any other. */
    boolean isOfMost() {
      return agrees == Agreement.OF_MOST;
    }

    /** How far its clock is ahead of ours, or (negative) behind; null when that cannot be told. */
    @Nullable Duration clockOffset(Instant now) {
      return heartbeat == null || silence == null || state != State.LIVE
          ? null
          : Duration.between(now.minus(silence), heartbeat);
    }
  }

  /**
   * What the cluster says of itself.
   *
   * @param id "" when it has none
   * @param clusterSet "" when it is in none
   */
  public record Cluster(String id, String clusterSet) {}

  /**
   * Who leads, and since when.
   *
   * @param acquired by the leader's own clock
   * @param renewed by the leader's own clock
   * @param silence for how long it was watched without a renewal; zero when it was seen to renew,
   *     and null when it was not watched
   * @param clockOffset how far its clock is ahead of that of this machine, or (negative) behind;
   *     null when that was not seen
   */
  public record Leader(
      String lease,
      String holder,
      @Nullable Instant acquired,
      @Nullable Instant renewed,
      Leadership state,
      @Nullable Duration silence,
      @Nullable Duration clockOffset) {}

  /** How the controller manager that leads is. */
  public enum Leadership {
    LIVE,
    /** Its time is not of now, and it was not watched for long enough. */
    DOUBTFUL,
    /** It was not seen to renew for as long as its Lease lasts. */
    SILENT
  }

  /** What the server that was asked has of the store. */
  public enum StoreState {
    OK,
    /** It is reached and does not take every write, as when it is full. */
    READ_ONLY,
    UNREACHED,
    /** The server does not say. */
    UNKNOWN
  }

  /**
   * A check that does not pass.
   *
   * @param reason "" when the server does not say
   */
  public record FailingCheck(String name, String reason) {}

  /**
   * How the server that was asked is.
   *
   * @param answer the first line of what it says; for people
   */
  public record Health(boolean ready, StoreState store, List<FailingCheck> failing, String answer) {
    /** Why that check fails; "" when it does not or the server does not say. */
    String reason(String check) {
      return failing.stream()
          .filter(each -> each.name().equals(check))
          .map(FailingCheck::reason)
          .findFirst()
          .orElse("");
    }
  }

  /** The servers by what they serve; those that do not say are left out. */
  SortedMap<String, List<String>> byHash() {
    var found = new TreeMap<String, List<String>>();
    for (var server : servers) {
      if (!server.hash().isEmpty()) {
        found.computeIfAbsent(server.hash(), hash -> new ArrayList<>()).add(server.id());
      }
    }
    return found;
  }

  /** What is wrong, the causes first. */
  List<StatusProblem> problems() {
    return StatusProblems.of(this);
  }

  /** Servers that live and do not say what they serve. */
  List<String> silent() {
    return servers.stream()
        .filter(server -> server.hash().isEmpty() && server.state() != State.EXPIRED)
        .map(Server::id)
        .toList();
  }
}
