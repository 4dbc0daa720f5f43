package dev.muster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Real etcd processes on free loopback ports, ended when closed and when this JVM ends. Members can
 * be stopped, killed, paused and restarted individually.
 */
public final class EtcdCluster implements AutoCloseable {
  private static final int ATTEMPTS = 3;
  private static final String ETCDUTL = System.getProperty("muster.etcdutl", "etcdutl");

  private final List<EtcdProcess> members;

  private EtcdCluster(List<EtcdProcess> members) {
    this.members = members;
  }

  /** Starts a cluster without TLS with its data in that folder; returns when it is ready. */
  public static EtcdCluster start(Path folder, int members) {
    return start(folder, members, null);
  }

  /** Starts a cluster that requires client certificates of that authority. */
  public static EtcdCluster start(
      Path folder, int members, @Nullable TestCertificates certificates) {
    for (var attempt = 1; ; attempt++) {
      var cluster = prepare(folder.resolve("attempt" + attempt), members, certificates);
      try {
        cluster.members.forEach(EtcdProcess::start);
        cluster.awaitReady();
        return cluster;
      } catch (RuntimeException | AssertionError e) {
        cluster.close();
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private static EtcdCluster prepare(
      Path folder, int count, @Nullable TestCertificates certificates) {
    var ports = FreePorts.find(count * 3);
    var peers =
        IntStream.range(0, count)
            .mapToObj(i -> "etcd%d=http://127.0.0.1:%d".formatted(i, ports.get(i * 3 + 1)))
            .collect(Collectors.joining(","));
    var members = new ArrayList<EtcdProcess>();
    for (var i = 0; i < count; i++) {
      members.add(
          new EtcdProcess(
              "etcd" + i, folder, ports.subList(i * 3, i * 3 + 3), peers, certificates));
    }
    return new EtcdCluster(members);
  }

  /** Waits until every running member serves linearizable reads. */
  public void awaitReady() {
    for (var member : members) {
      if (member.isRunning()) {
        member.awaitReady(Duration.ofSeconds(60));
      }
    }
  }

  /** The client URLs of all members. */
  public String[] endpoints() {
    return members.stream().map(EtcdProcess::endpoint).toArray(String[]::new);
  }

  public List<EtcdProcess> members() {
    return List.copyOf(members);
  }

  public EtcdProcess member(int index) {
    return members.get(index);
  }

  /** The current leader, if a running member leads. */
  public Optional<EtcdProcess> leader() {
    return members.stream().filter(EtcdProcess::isLeader).findFirst();
  }

  /**
   * How to restore a snapshot.
   *
   * @param program the restoring program
   * @param keepsClusterId whether the restored cluster has its former cluster ID, as after a
   *     restore with its original flags
   */
  public record Restoration(List<String> program, boolean keepsClusterId, List<String> flags) {
    public Restoration {
      program = List.copyOf(program);
      flags = List.copyOf(flags);
    }

    /** Restores with etcdctl, as before etcd 3.6. */
    public static Restoration of(boolean keepsClusterId) {
      return new Restoration(List.of("etcdctl"), keepsClusterId, List.of());
    }

    /** Restores with flags that only etcdutl supports. */
    public static Restoration bumped(boolean keepsClusterId, long revisions) {
      return new Restoration(
          List.of(ETCDUTL),
          keepsClusterId,
          List.of("--bump-revision=" + revisions, "--mark-compacted"));
    }

    /** Whether an etcdutl with those flags is installed (since 3.5.10; Debian 12 has 3.4). */
    public static boolean canBump() {
      try {
        var process =
            new ProcessBuilder(ETCDUTL, "snapshot", "restore", "--help")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .contains("--bump-revision");
      } catch (IOException _) {
        return false;
      }
    }
  }

  /** Saves a snapshot. */
  public Path snapshot(Path file) {
    run(List.of("etcdctl", "--endpoints=" + endpoints()[0], "snapshot", "save", file.toString()));
    return file;
  }

  /** Stops all members and restores a snapshot; they stay stopped. */
  public void stopAndRestore(Path snapshot, Restoration how) {
    members.forEach(EtcdProcess::stop);
    members.forEach(member -> member.restore(snapshot, how));
  }

  /** Starts all members together and waits until they are ready. */
  public void startAll() {
    members.forEach(EtcdProcess::start);
    awaitReady();
  }

  /** Runs a program and requires exit code 0. */
  static void run(List<String> command) {
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + " failed: " + output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Deletes a folder with its content, if it exists. */
  public static void delete(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    members.forEach(EtcdProcess::close);
  }
}
