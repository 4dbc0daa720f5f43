package dev.muster.store.etcd;

import io.grpc.ManagedChannel;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One member of etcd and its running calls. Watches carry much data, so they have a connection
 * separate from calls. Thread-safe.
 */
final class EtcdMember {
  private final URI endpoint;
  private final ManagedChannel calls;
  private final ManagedChannel watches;
  private final Set<UnaryCall<?>> openCalls = ConcurrentHashMap.newKeySet();
  private final Set<WatchStream> openWatches = ConcurrentHashMap.newKeySet();
  private volatile long term;

  EtcdMember(URI endpoint, ManagedChannel calls, ManagedChannel watches) {
    this.endpoint = endpoint;
    this.calls = calls;
    this.watches = watches;
  }

  ManagedChannel calls() {
    return calls;
  }

  ManagedChannel watches() {
    return watches;
  }

  /** The last known term of the leader that the member follows; 0 before the first probe. */
  long term() {
    return term;
  }

  void term(long now) {
    term = now;
  }

  void began(UnaryCall<?> call) {
    openCalls.add(call);
  }

  void ended(UnaryCall<?> call) {
    openCalls.remove(call);
  }

  void began(WatchStream watch) {
    openWatches.add(watch);
  }

  void ended(WatchStream watch) {
    openWatches.remove(watch);
  }

  /** Whether a call that began before that time is still not answered. */
  boolean hasCallOlderThan(long nanoTime) {
    for (var call : openCalls) {
      if (call.beganBefore(nanoTime)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Ends calls that began before that time under an older leader. A member that forwarded a call to
   * a lost leader never answers the call.
   */
  void abandonCallsOfOlderTerm(long nanoTime, long now) {
    for (var call : openCalls) {
      if (call.beganBefore(nanoTime) && call.term() < now) {
        call.abandon("the leader that was asked is gone");
      }
    }
  }

  /** Ends all running calls and watches at this member. */
  void abandonAll(String why) {
    List.copyOf(openCalls).forEach(call -> call.abandon(why));
    List.copyOf(openWatches).forEach(watch -> watch.abandon(why));
  }

  /** Reconnects soon, however many attempts failed before. */
  void resetBackoff() {
    calls.resetConnectBackoff();
    watches.resetConnectBackoff();
  }

  void close() {
    calls.shutdownNow();
    watches.shutdownNow();
  }

  @Override
  public String toString() {
    return endpoint.toString();
  }
}
