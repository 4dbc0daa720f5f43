package dev.muster.fleet.identity;

import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Who one server is. Safe for any thread; only the heartbeat changes it, and only before it has
 * told anybody, save for the rare Lease that was deleted and whose name another server then took.
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

  /** Completes when the identity's Lease exists, so that no other server has that name. */
  public CompletableFuture<ServerId> settled() {
    return settled.copy();
  }

  void settle() {
    settled.complete(id);
  }

  /** Takes another suffix, because the name is taken. */
  void change() {
    id = ServerId.generate(hostname, pid, random);
  }
}
