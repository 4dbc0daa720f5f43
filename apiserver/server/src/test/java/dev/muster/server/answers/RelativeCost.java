package dev.muster.server.answers;

import dev.muster.model.json.JsonObject;
import dev.muster.server.answers.RunningServer.Answer;
import dev.muster.wire.JsonWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What a request costs the server, in terms of what a plain one of the same length costs it. Both
 * are sent by turns, and what each costs at the least is compared, so that the outcome does not
 * depend on how fast the machine is or who else uses it.
 */
final class RelativeCost {
  private static final int ROUNDS = 20;

  /** Shorter bodies may cost as much. */
  private static final int SHORTEST = 64 << 10;

  private final RunningServer server;
  private final String configMaps;
  private final Map<Integer, Plain> plain = new HashMap<>();

  /** Plain requests of about one length, and the least that one of them has cost. */
  private static final class Plain {
    final byte[] body;
    long least = Long.MAX_VALUE;

    Plain(byte[] body) {
      this.body = body;
    }
  }

  /** The last answer, and how many times a plain request it cost. */
  record Measured(Answer answer, double times) {}

  RelativeCost(RunningServer server, String namespace) {
    this.server = server;
    this.configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  /** Sends it again while it seems to cost more than that many plain requests. */
  Measured measure(int bytes, double most, Supplier<Answer> request) {
    var reference =
        plain.computeIfAbsent(Integer.highestOneBit(Math.max(bytes, SHORTEST)), this::plain);
    long least = Long.MAX_VALUE;
    for (int round = 1; ; round++) {
      long before = ServerCpu.nanos();
      var answer = request.get();
      least = Math.min(least, ServerCpu.nanos() - before);
      double times = (double) least / reference.least;
      if (times <= most || round == ROUNDS) {
        return new Measured(answer, times);
      }
      send(reference);
    }
  }

  private Plain plain(int length) {
    var reference = new Plain(body(length));
    for (int i = 0; i < ROUNDS; i++) {
      send(reference);
    }
    return reference;
  }

  private void send(Plain reference) {
    long before = ServerCpu.nanos();
    server.send(
        "POST", configMaps + "?dryRun=All", RunningServer.JSON, RunningServer.JSON, reference.body);
    reference.least = Math.min(reference.least, ServerCpu.nanos() - before);
  }

  private static byte[] body(int length) {
    var data = JsonObject.builder();
    for (int written = 0; written < length; written += 32) {
      data.put("key-%09d".formatted(written), "value-%07d".formatted(written));
    }
    return JsonWriter.bytes(
        JsonObject.of("metadata", JsonObject.of("name", "plain"), "data", data.build()));
  }
}
