package dev.muster.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One member of an {@link EtcdCluster}: a real etcd process in which tests cause failures. */
public final class EtcdProcess implements AutoCloseable {
  /** Enough for values of 1.5 MiB, which slightly exceed etcd's default. */
  private static final int MAX_REQUEST_BYTES = (3 << 19) + (64 << 10);

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String name;
  private final String endpoint;
  private final String metrics;
  private final String peer;
  private final String peers;
  private final String token;
  private final Path data;
  private final List<String> command;
  private @Nullable ChildProcess process;

  EtcdProcess(
      String name,
      Path folder,
      List<Integer> ports,
      String peers,
      @Nullable TestCertificates certificates) {
    this.name = name;
    endpoint = (certificates == null ? "http" : "https") + "://127.0.0.1:" + ports.getFirst();
    peer = "http://127.0.0.1:" + ports.get(1);
    this.peers = peers;
    token = folder.toAbsolutePath().toString();
    data = folder.resolve(name);
    metrics = "http://127.0.0.1:" + ports.getLast();
    command =
        new ArrayList<>(
            List.of(
                System.getProperty("muster.etcd", "etcd"),
                "--name=" + name,
                "--data-dir=" + data,
                "--listen-client-urls=" + endpoint,
                "--advertise-client-urls=" + endpoint,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=" + peers,
                "--initial-cluster-token=" + token,
                "--listen-metrics-urls=" + metrics,
                "--max-request-bytes=" + MAX_REQUEST_BYTES,
                "--logger=zap",
                "--log-level=error"));
    if (certificates != null) {
      var server = certificates.issue(name);
      command.addAll(
          List.of(
              "--cert-file=" + server.certificate(),
              "--key-file=" + server.key(),
              "--trusted-ca-file=" + certificates.authority(),
              "--client-cert-auth=true"));
    }
  }

  /** Starts the process, or restarts it with the same data and ports. */
  public void start() {
    if (isRunning()) {
      throw new IllegalStateException(name + " is running");
    }
    process = ChildProcess.start(command);
  }

  /** Waits until it serves linearizable reads. */
  public void awaitReady(Duration patience) {
    await()
        .atMost(patience)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              if (!isRunning()) {
                throw new IllegalStateException(name + " ended: " + output());
              }
              return get("/health").contains("\"health\":\"true\"");
            });
  }

  /** The data folder. */
  public Path data() {
    return data;
  }

  /** Replaces the data by that of a snapshot; the process must not run. */
  void restore(Path snapshot, EtcdCluster.Restoration how) {
    if (isRunning()) {
      throw new IllegalStateException(name + " is running");
    }
    EtcdCluster.delete(data);
    var command = new ArrayList<>(how.program());
    command.addAll(
        List.of(
            "snapshot",
            "restore",
            snapshot.toString(),
            "--name=" + name,
            "--data-dir=" + data,
            "--initial-cluster=" + peers,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster-token=" + (how.keepsClusterId() ? token : "restored-" + token)));
    command.addAll(how.flags());
    EtcdCluster.run(command);
  }

  public boolean isLeader() {
    return isRunning() && get("/metrics").contains("\netcd_server_is_leader 1\n");
  }

  /** The number of answered calls of a method, such as {@code Range}. */
  public long calls(String method) {
    return get("/metrics")
        .lines()
        .filter(line -> line.startsWith("grpc_server_handled_total"))
        .filter(line -> line.contains("grpc_method=\"" + method + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private String get(String path) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create(metrics + path)).timeout(Duration.ofSeconds(2)).build();
      return HTTP.send(request, BodyHandlers.ofString()).body();
    } catch (IOException _) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  public String name() {
    return name;
  }

  /** Its client URL. */
  public String endpoint() {
    return endpoint;
  }

  public boolean isRunning() {
    return process != null && process.isAlive();
  }

  private List<String> output() {
    return process == null ? List.of() : process.output();
  }

  /** Shuts the process down gracefully. */
  public void stop() {
    if (isRunning() && process != null) {
      process.stop();
      process.close();
    }
  }

  /** Kills the process as {@code kill -9} does. */
  public void kill() {
    if (process != null) {
      process.close();
    }
  }

  /** Freezes the process: connections stay open, but it answers nothing. */
  public void pause() {
    if (process != null) {
      process.pause();
    }
  }

  /** Resumes the process after {@link #pause}. */
  public void resume() {
    if (process != null) {
      process.resume();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
