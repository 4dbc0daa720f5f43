package dev.muster.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Real etcd processes on free loopback ports, gone when closed and when this JVM ends. Members can
 * be stopped, killed, paused and started again one by one.
 */
public final class EtcdCluster implements AutoCloseable {
  private static final int ATTEMPTS = 3;

  private final List<EtcdProcess> members;

  private EtcdCluster(List<EtcdProcess> members) {
    this.members = members;
  }

  /** A cluster without TLS whose data lies in that folder; answers when it is ready. */
  public static EtcdCluster start(Path folder, int members) {
    return start(folder, members, null);
  }

  /** A cluster that asks its clients for certificates of that authority. */
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

  /** The member that leads at the moment, if any running one does. */
  public Optional<EtcdProcess> leader() {
    return members.stream().filter(EtcdProcess::isLeader).findFirst();
  }

  @Override
  public void close() {
    members.forEach(EtcdProcess::close);
  }
}
