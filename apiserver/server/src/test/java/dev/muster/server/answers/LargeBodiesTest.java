package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.read.TypedReader;
import dev.muster.server.answer.Encoders;
import dev.muster.store.MemoryStore;
import dev.muster.types.ServedType;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Encoding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects with a very long list or map cost no more than their length. {@code
 * -Dmuster.large.seconds} sets for how long it tries (15), {@code -Dmuster.large.kilobytes} how
 * large the bodies are (150), {@code -Dmuster.large.cost} how many times a plain request one may
 * cost (100), {@code -Dmuster.large.only} which ways it goes (a regular expression).
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeBodiesTest {
  private static final long SECONDS = Long.getLong("muster.large.seconds", 6);
  private static final int BYTES = Integer.getInteger("muster.large.kilobytes", 150) << 10;
  private static final String ONLY = System.getProperty("muster.large.only", ".*");
  private static final long SEED = Long.getLong("muster.fuzz.seed", 36);

  private static final int LONGEST = 2 << 20;

  private static final int MOST_COST = Integer.getInteger("muster.large.cost", 100);

  private static final Logger LOG = LoggerFactory.getLogger(LargeBodiesTest.class);

  private RunningServer server;
  private RelativeCost costs;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server =
        RunningServer.start(directory, new MemoryStore(), Map.of("CBORServingAndStorage", true));
    server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"large\"}}");
    costs = new RelativeCost(server, "large");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private record Trial(
      ServedType type,
      List<String> way,
      Stretched.Members members,
      boolean siblings,
      Encoding encoding) {
    @Override
    public String toString() {
      return type.kind().kind()
          + " "
          + String.join(".", way)
          + (siblings ? ".* " : " ")
          + members
          + " "
          + encoding;
    }
  }

  private record Cost(String what, int bytes, int code, double times) {}

  @Test
  void longListsCostNoMoreThanTheirLength() {
    var seeds = new LinkedHashMap<String, JsonObject>();
    Seeds.all()
        .forEach(
            seed ->
                seeds.put(
                    seed.collection().substring(seed.collection().lastIndexOf('/') + 1),
                    seed.object()));
    var trials = trials();
    var found = new ArrayList<Cost>();
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    for (var trial : trials) {
      if (System.nanoTime() > end) {
        break;
      }
      var base = seeds.getOrDefault(trial.type().plural(), JsonObject.EMPTY);
      var body = body(trial, base, BYTES);
      // What is too long for the server is refused before it is all there, which costs nothing.
      if (body == null || body.length > LONGEST) {
        continue;
      }
      found.add(cost(trial, body));
    }
    found.sort(Comparator.comparingDouble(Cost::times).reversed());
    var report = new StringBuilder();
    for (var cost : found.subList(0, Math.min(60, found.size()))) {
      report.append(
          "%n%8.1f plain requests %8d bytes %d %s"
              .formatted(cost.times(), cost.bytes(), cost.code(), cost.what()));
    }
    LOG.info("{} of {} tried:{}", found.size(), trials.size(), report);
    assertThat(found).filteredOn(cost -> cost.code() >= 500).isEmpty();
    assertThat(found).filteredOn(cost -> cost.times() > MOST_COST).isEmpty();
  }

  private static List<Trial> trials() {
    var random = new Random(SEED);
    var encodings = List.of(Encoding.values());
    var trials = new ArrayList<Trial>();
    for (var type : BuiltInTypes.all()) {
      if (type.isServed() && type.verbs().contains("create")) {
        for (var way : Stretched.ways(type.shape())) {
          for (var members : Stretched.Members.values()) {
            var encoding = encodings.get(random.nextInt(encodings.size()));
            var trial = new Trial(type, way, members, random.nextInt(3) == 0, encoding);
            if (!isRepeated(trial) && trial.toString().matches(ONLY)) {
              trials.add(trial);
            }
          }
        }
      }
    }
    Collections.shuffle(trials, random);
    return trials;
  }

  /** Templates of pods are tried in one of the kinds that have them. */
  private static boolean isRepeated(Trial trial) {
    return String.join(".", trial.way()).contains("template.spec.")
        && !trial.type().plural().equals("deployments");
  }

  /** A body of about that size; null when the encoding cannot hold it. */
  private static byte @Nullable [] body(Trial trial, JsonObject base, int size) {
    int count = 64;
    while (true) {
      var bytes = body(trial, object(trial, base, count));
      if (bytes == null || bytes.length >= size || count > 200_000) {
        return bytes;
      }
      long scaled = (long) count * size / bytes.length + 1;
      count = (int) Math.max(count + 1, Math.min(count * 4L, scaled));
    }
  }

  private static JsonObject object(Trial trial, JsonObject base, int count) {
    var kind = trial.type().kind();
    var stretched = new Stretched(trial.members(), trial.siblings());
    var object = (JsonObject) stretched.along(trial.type().shape(), base, trial.way(), count);
    var metadata =
        trial.way().getFirst().equals("metadata") ? object.object("metadata") : JsonObject.EMPTY;
    return object
        .with("kind", kind.kind())
        .with("apiVersion", kind.apiVersion())
        .with(
            "metadata",
            metadata
                .without("namespace")
                .without("resourceVersion")
                .without("uid")
                .with("name", "large"));
  }

  private static byte @Nullable [] body(Trial trial, JsonObject object) {
    try {
      return Encoders.encode(
          trial.encoding(),
          trial.encoding() == Encoding.PROTOBUF
              ? TypedReader.normal(trial.type().shape(), object)
              : object);
    } catch (DecodeException | IllegalArgumentException e) {
      return null;
    }
  }

  private Cost cost(Trial trial, byte[] body) {
    var type = trial.type();
    var path =
        (type.kind().group().isEmpty() ? "/api/" : "/apis/")
            + type.groupVersion()
            + (type.namespaced() ? "/namespaces/large" : "")
            + "/"
            + type.plural()
            + "?dryRun=All";
    var measured =
        costs.measure(
            body.length,
            MOST_COST,
            () ->
                server.send("POST", path, trial.encoding().mediaType(), RunningServer.JSON, body));
    return new Cost(trial.toString(), body.length, measured.answer().code(), measured.times());
  }
}
