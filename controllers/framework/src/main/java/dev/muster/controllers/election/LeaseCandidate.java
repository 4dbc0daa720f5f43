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
 * One thread owns it. One process that wants the Lease or has it, one attempt at a time. It judges
 * others only by what it has seen change, on a clock that never goes back; the wall clock is for
 * the times that it writes, which people read.
 */
final class LeaseCandidate {
  /** How an attempt ended. */
  enum Attempt {
    /** The Lease is this candidate's, for the renew deadline from the beginning of the attempt. */
    HELD,
    /** Another candidate has it, or was faster. */
    TAKEN,
    /** This candidate led, and the Lease says something else now. */
    LOST,
    /** The API server refuses or does not answer. */
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

  /** The Lease as this candidate wrote it last, for writing it again without reading it. */
  private @Nullable JsonObject written;

  private JsonObject lastSpec = JsonObject.EMPTY;
  private boolean leads;
  private Duration renewed = Duration.ZERO;
  private String trouble = "";
  private int slowAttempts;

  /**
   * @param monotonic the time since any moment, which never goes back
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

  /** Until when it leads without another renewal, by the clock that never goes back. */
  Duration leadsUntil() {
    return renewed.plus(election.renewDeadline());
  }

  /** The holder that was seen last; "" when there was none. */
  String holder() {
    return observed.holder();
  }

  /** Why the last attempt failed; "" when it did not. */
  String degradedReason() {
    return trouble;
  }

  /** How many renewals had to read the Lease first. */
  int slowAttempts() {
    return slowAttempts;
  }

  /** The Lease as it was written last; empty when it was not. */
  JsonObject lease() {
    return written == null ? JsonObject.EMPTY : written;
  }

  /** Tries to take the Lease or to renew it, within the given time. */
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
      // What was sent may have been stored: the next attempt has to look.
      written = null;
      trouble = String.valueOf(e.getMessage());
      return Attempt.FAILED;
    }
  }

  /** From now on it is a candidate like any other. */
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

  /** A Lease that was deleted under its holder is left to the holder as if it were there. */
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

  /** A conflict means that another was faster; a leader looks again, because it may still lead. */
  private Attempt failed(Answer answer) {
    if (answer.code() == CONFLICT && !leads) {
      return Attempt.TAKEN;
    }
    trouble = answer.code() + " " + answer.body().string("message");
    return Attempt.FAILED;
  }

  /** Gives the Lease back if this candidate has it, so that another need not wait. */
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

  /** Always another time than the Lease has: on a clock that stands still, renewals show, too. */
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
