package dev.muster.controllers.election;

import dev.muster.controllers.election.LeaseRequests.Answer;
import dev.muster.controllers.election.LeaseRequests.LeaseUnreachable;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Lease operations of one candidate, one attempt at a time. It considers another holder expired
 * only by changes that it has observed on a monotonic clock. The wall clock is used only for the
 * times that it writes. Not thread-safe: one thread owns it.
 */
final class LeaseCandidate {
  /** The result of an attempt. */
  enum Attempt {
    /**
     * This candidate holds the Lease until the renew deadline, measured from the beginning of the
     * attempt.
     */
    HELD,
    /** Another candidate holds the Lease, or won the race. */
    TAKEN,
    /** This candidate led, and the Lease now has another holder. */
    LOST,
    /** The API server refused or did not answer. */
    FAILED
  }

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final LeaseRequests requests;
  private final LeaderElection election;
  private final String identity;
  private final Supplier<Duration> monotonic;
  private final InstantSource wall;
  private final ObservedLease observed = new ObservedLease();
  private final String collection;

  /** The Lease as last written, so that a renewal need not read it. */
  private @Nullable JsonObject written;

  private JsonObject lastSpec = JsonObject.EMPTY;
  private boolean leads;
  private Duration renewed = Duration.ZERO;
  private String trouble = "";
  private int slowAttempts;

  /**
   * @param monotonic the time since an arbitrary moment, which never goes back
   */
  LeaseCandidate(
      LeaseRequests requests,
      LeaderElection election,
      String identity,
      Supplier<Duration> monotonic,
      InstantSource wall) {
    this.requests = requests;
    this.election = election;
    this.identity = identity;
    this.monotonic = monotonic;
    this.wall = wall;
    this.collection = "/apis/coordination.k8s.io/v1/namespaces/" + election.namespace() + "/leases";
  }

  /** Until when it leads without another renewal, on the monotonic clock. */
  Duration leadsUntil() {
    return renewed.plus(election.renewDeadline());
  }

  /** The last observed holder; "" for none. */
  String holder() {
    return observed.holder();
  }

  /** Why the last attempt failed; "" when it succeeded. */
  String degradedReason() {
    return trouble;
  }

  /** The number of renewals that had to read the Lease first. */
  int slowAttempts() {
    return slowAttempts;
  }

  /** The Lease as last written; empty when it was not. */
  JsonObject lease() {
    return written == null ? JsonObject.EMPTY : written;
  }

  /** Tries to acquire or renew the Lease within the given time. */
  Attempt attempt(Duration patience) throws InterruptedException {
    var began = monotonic.get();
    var ends = began.plus(patience);
    try {
      trouble = "";
      var attempt = leads && written != null ? renew(written, ends) : readAndTake(ends);
      if (attempt == Attempt.HELD) {
        leads = true;
        renewed = began;
      } else if (attempt == Attempt.LOST) {
        stopLeading();
      }
      return attempt;
    } catch (LeaseUnreachable e) {
      // The write may have been stored: the next attempt has to read the Lease.
      written = null;
      trouble = String.valueOf(e.getMessage());
      return Attempt.FAILED;
    }
  }

  /** Gives up leadership; from now on it is an ordinary candidate. */
  void stopLeading() {
    leads = false;
    written = null;
  }

  private Attempt renew(JsonObject lease, Duration ends) throws InterruptedException {
    var answer = send("PUT", path(), changed(lease, false), ends);
    if (answer.succeeded()) {
      return hold(answer);
    }
    written = null;
    slowAttempts++;
    return readAndTake(ends);
  }

  private Attempt readAndTake(Duration ends) throws InterruptedException {
    var found = send("GET", path(), JsonObject.EMPTY, ends);
    if (found.code() == NOT_FOUND) {
      return create(ends);
    }
    if (!found.succeeded()) {
      return failed(found);
    }
    var lease = found.body();
    see(lease);
    if (holder(lease).equals(identity)) {
      return write(changed(lease, false), ends);
    }
    if (leads) {
      trouble =
          holder(lease).isEmpty()
              ? "another client has freed the Lease"
              : holder(lease) + " holds the Lease now";
      return Attempt.LOST;
    }
    return observed.heldByAnother(identity, monotonic.get())
        ? Attempt.TAKEN
        : write(changed(lease, true), ends);
  }

  /**
   * If the Lease of a holder was deleted, other candidates still wait for the holder's duration.
   */
  private Attempt create(Duration ends) throws InterruptedException {
    if (!leads && observed.heldByAnother(identity, monotonic.get())) {
      return Attempt.TAKEN;
    }
    var metadata = JsonObject.of("name", election.name(), "namespace", election.namespace());
    var lease =
        JsonObject.of(
            "apiVersion",
            "coordination.k8s.io/v1",
            "kind",
            "Lease",
            "metadata",
            metadata,
            "spec",
            leads ? lastSpec : JsonObject.EMPTY);
    var answer = send("POST", collection, changed(lease, false), ends);
    return answer.succeeded() ? hold(answer) : failed(answer);
  }

  private Attempt write(JsonObject lease, Duration ends) throws InterruptedException {
    var answer = send("PUT", path(), lease, ends);
    return answer.succeeded() ? hold(answer) : failed(answer);
  }

  private Attempt hold(Answer answer) {
    written = answer.body();
    lastSpec = answer.body().object("spec");
    see(answer.body());
    return Attempt.HELD;
  }

  /**
   * After a conflict another candidate won; a leader reads the Lease again, because it may still
   * lead.
   */
  private Attempt failed(Answer answer) {
    if (answer.code() == CONFLICT && !leads) {
      return Attempt.TAKEN;
    }
    trouble = answer.code() + " " + answer.body().string("message");
    return Attempt.FAILED;
  }

  /** Releases the Lease if this candidate holds it, so that others need not wait. */
  void release(Duration patience) throws InterruptedException {
    var ends = monotonic.get().plus(patience);
    try {
      for (int i = 0; i < 2; i++) {
        var lease = written;
        if (lease == null) {
          var found = send("GET", path(), JsonObject.EMPTY, ends);
          if (!found.succeeded() || !holder(found.body()).equals(identity)) {
            return;
          }
          lease = found.body();
        }
        stopLeading();
        if (send("PUT", path(), freed(lease), ends).code() != CONFLICT) {
          return;
        }
      }
    } catch (LeaseUnreachable e) {
      trouble = String.valueOf(e.getMessage());
    }
  }

  private JsonObject freed(JsonObject lease) {
    var now = time(lease);
    var spec =
        lease
            .object("spec")
            .with("holderIdentity", "")
            .with("leaseDurationSeconds", 1)
            .with("acquireTime", now)
            .with("renewTime", now);
    return lease.with("spec", spec);
  }

  private JsonObject changed(JsonObject lease, boolean taken) {
    var now = time(lease);
    var old = lease.object("spec");
    long transitions = Math.clamp(old.integer("leaseTransitions", 0), 0, Integer.MAX_VALUE - 1);
    boolean anew = taken || Timestamps.read(old.get("acquireTime")) == null;
    var spec =
        old.with("holderIdentity", identity)
            .with("leaseDurationSeconds", seconds())
            .with("acquireTime", anew ? now : old.string("acquireTime"))
            .with("renewTime", now)
            .with("leaseTransitions", taken ? transitions + 1 : transitions);
    return lease.with("spec", spec);
  }

  /**
   * A time different from the one in the Lease, so that renewals are visible even if the clock
   * stands still.
   */
  private String time(JsonObject lease) {
    var now = wall.instant().truncatedTo(ChronoUnit.MICROS);
    var before = Timestamps.read(lease.object("spec").get("renewTime"));
    return Timestamps.formatMicro(now.equals(before) ? now.plus(1, ChronoUnit.MICROS) : now);
  }

  private long seconds() {
    return Math.max(1, election.leaseDuration().plusMillis(999).toSeconds());
  }

  private void see(JsonObject lease) {
    var spec = lease.object("spec");
    long said = spec.integer("leaseDurationSeconds", 0);
    var life = said > 0 ? Duration.ofSeconds(said) : election.leaseDuration();
    observed.see(holder(lease), spec, life, monotonic.get());
  }

  private static String holder(JsonObject lease) {
    return lease.object("spec").string("holderIdentity");
  }

  private String path() {
    return collection + "/" + election.name();
  }

  private Answer send(String method, String path, JsonObject body, Duration ends)
      throws InterruptedException {
    return requests.send(method, path, body, ends.minus(monotonic.get()));
  }
}
