package dev.muster.fleet.identity;

import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * The identity of one server. Thread-safe. Only the heartbeat changes it, before the Lease
 * announces it; later only if the Lease was deleted and another server then took its name.
 */
public final class ServerIdentity {
  private final String hostname;
  private final long pid;
  private final RandomGenerator random;
  private final CompletableFuture<ServerId> settled = new CompletableFuture<>();
  private volatile ServerId id;

  ServerIdentity(String hostname, long pid, RandomGenerator random) {
    this.hostname = hostname;
    this.pid = pid;
    this.random = random;
    this.id = ServerId.generate(hostname, pid, random);
  }

  /** A new identity for a server in this process. */
  public static ServerIdentity create() {
    return new ServerIdentity(
        HostName.ofThisMachine(), ProcessHandle.current().pid(), RandomGenerator.getDefault());
  }

  public ServerId id() {
    return id;
  }

  /** Completes when the Lease exists, so that no other server has that name. */
  public CompletableFuture<ServerId> settled() {
    return settled.copy();
  }

  void settle() {
    settled.complete(id);
  }

  /** Chooses another suffix, because the name is taken. */
  void change() {
    id = ServerId.generate(hostname, pid, random);
  }
}
