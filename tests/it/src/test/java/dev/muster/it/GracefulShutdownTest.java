package dev.muster.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.testing.NeedsProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is asked to stop while clients use it fails none of their requests. */
@Tag("slow")
@NeedsProgram(value = "etcd", from = "3.4")
class GracefulShutdownTest {
  private static final int CLIENTS = 4;
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder;
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong answeredWhileNotReady = new AtomicLong();
  private final AtomicInteger ended = new AtomicInteger();
  private final long[] acknowledged = new long[CLIENTS];
  private volatile boolean notReady;

  @Test
  void noRequestFailsWhileAServerStops() throws Exception {
    try (var fleet = EtcdFleet.start(folder, 1, 1, "--shutdown-delay-duration=2s");
        var api = new HttpApi(fleet.url(0), fleet.authority());
        var probe = new HttpApi(fleet.url(0), fleet.authority())) {
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(api.send("POST", MAPS, map(i, 0)).code()).isEqualTo(201);
      }
      var watch = CompletableFuture.supplyAsync(() -> watched(fleet));
      var clients =
          IntStream.range(0, CLIENTS).mapToObj(i -> Thread.startVirtualThread(() -> use(fleet, i)));
      var threads = clients.toList();
      await().until(() -> answered.get() > 200);
      assertThat(probe.get("/readyz").code()).isEqualTo(200);

      fleet.server(0).terminate();
      await().until(() -> probe.get("/readyz").code() == 500);
      notReady = true;
      assertThat(probe.get("/livez").code()).isEqualTo(200);

      assertThat(fleet.server(0).waitFor()).isZero();
      for (var thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(ended).hasValue(CLIENTS);
      assertThat(answeredWhileNotReady).hasPositiveValue();
      assertThat(watch.join()).isEqualTo("ended");
      fleet.startServer(0);
      fleet.awaitReady(0);
      for (int i = 0; i < CLIENTS; i++) {
        assertThat(RegisterClient.value(reread(fleet, i).json()))
            .as("what was not answered was not done")
            .isEqualTo(Long.toString(acknowledged[i]));
      }
    }
  }

  private static HttpApi.Answer reread(EtcdFleet fleet, int client) throws Exception {
    try (var api = new HttpApi(fleet.url(0), fleet.authority())) {
      return api.get(MAPS + "/map-" + client);
    }
  }

  /** Writes and reads until the server is gone. */
  private void use(EtcdFleet fleet, int client) {
    try (var api = new HttpApi(fleet.url(0), fleet.authority())) {
      while (true) {
        long next = acknowledged[client] + 1;
        count(api.send("PUT", MAPS + "/map-" + client, map(client, next)));
        acknowledged[client] = next;
        count(api.get(MAPS));
      }
    } catch (IOException e) {
      ended.incrementAndGet();
      if (!isCleanEnd(e)) {
        failures.add(notReady + ": " + e);
      }
    } catch (InterruptedException e) {
      failures.add("interrupted");
    }
  }

  private void count(HttpApi.Answer answer) {
    if (answer.code() >= 300) {
      failures.add(answer.code() + ": " + new String(answer.body(), StandardCharsets.UTF_8));
    }
    answered.incrementAndGet();
    if (notReady) {
      answeredWhileNotReady.incrementAndGet();
    }
  }

  /** Nobody listens any more, or the connection was taken back before the request was looked at. */
  private static boolean isCleanEnd(IOException e) {
    return e instanceof ConnectException || String.valueOf(e.getMessage()).contains("GOAWAY");
  }

  private String watched(EtcdFleet fleet) {
    try (var api = new HttpApi(fleet.url(0), fleet.authority());
        var body = api.watch(MAPS + "?watch=true");
        var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      String last = "";
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line;
      }
      return last.endsWith("}") ? "ended" : "cut after " + last;
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      return "interrupted";
    }
  }

  private static String map(int client, long value) {
    return "{\"metadata\":{\"name\":\"map-%d\"},\"data\":{\"v\":\"%d\"}}".formatted(client, value);
  }
}
