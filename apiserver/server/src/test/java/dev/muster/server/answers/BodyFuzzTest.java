package dev.muster.server.answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.read.TypedReader;
import dev.muster.server.answer.Encoders;
import dev.muster.server.answers.RunningServer.Answer;
import dev.muster.types.ServedType;
import dev.muster.wire.DecodeException;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
 * Whatever a client sends, it is never the server that fails, it costs little more than any body of
 * its length, and a refused request leaves no trace. {@code -Dmuster.fuzz.seconds} sets for how
 * long it tries (20), {@code -Dmuster.fuzz.seed} what it tries, {@code -Dmuster.fuzz.cost} how many
 * times a plain request an answer may cost (40), {@code -Dmuster.fuzz.faults} how many faults it
 * collects (10).
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BodyFuzzTest {
  private static final long SECONDS = Long.getLong("muster.fuzz.seconds", 8);
  private static final long SEED = Long.getLong("muster.fuzz.seed", 36);
  private static final int MOST_COST = Integer.getInteger("muster.fuzz.cost", 40);
  private static final int MOST_FAULTS = Integer.getInteger("muster.fuzz.faults", 10);
  private static final Answer NO_ANSWER = new Answer(0, new byte[0], List.of());
  private static final Logger LOG = LoggerFactory.getLogger(BodyFuzzTest.class);

  /** What is written without anybody's request. */
  private static final List<String> BACKGROUND = List.of("/masterleases/", "/leases/kube-system/");

  /** Groups whose objects would change how later requests are answered: dry runs only. */
  private static final Set<String> GOVERNING =
      Set.of(
          "admissionregistration.k8s.io",
          "apiregistration.k8s.io",
          "apiextensions.k8s.io",
          "flowcontrol.apiserver.k8s.io");

  private static final List<String> PATCHES =
      List.of(
          RunningServer.JSON_PATCH,
          RunningServer.MERGE,
          RunningServer.STRATEGIC,
          RunningServer.APPLY,
          "application/apply-patch+cbor");

  private static final List<ServedType> TYPES =
      BuiltInTypes.all().stream()
          .filter(type -> type.isServed() && type.verbs().contains("create"))
          .toList();

  private final WatchedStore store = new WatchedStore();
  private final Random random = new Random(SEED);
  private final RandomValues values = new RandomValues(random);
  private final List<String> faults = new ArrayList<>();
  private RunningServer server;
  private RelativeCost costs;
  private String namespace;
  private double worst;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    server = RunningServer.start(directory, store);
    namespace = server.namespace();
    costs = new RelativeCost(server, namespace);
    for (var seed : Seeds.all()) {
      var answer = server.post(in(seed.collection()), seed.object().toString());
      assertThat(answer.code()).describedAs(answer.text()).isEqualTo(201);
    }
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private record Sent(String method, String path, String contentType, byte[] body) {
    @Override
    public String toString() {
      var text = new String(body, StandardCharsets.UTF_8);
      return "%s %s (%s)\n%s\nbase64: %s"
          .formatted(
              method,
              path,
              contentType,
              printable(text),
              body.length > 3000
                  ? body.length + " bytes"
                  : Base64.getEncoder().encodeToString(body));
    }
  }

  private static String printable(String text) {
    return text.substring(0, Math.min(text.length(), 600)).replaceAll("[^\\x20-\\x7e]", "?");
  }

  private String in(String path) {
    return path.replace("{ns}", namespace);
  }

  @Test
  void randomBodiesAreAnsweredProperly() {
    long end = System.nanoTime() + SECONDS * 1_000_000_000;
    int accepted = 0;
    int sent = 0;
    while (System.nanoTime() < end) {
      var request = random.nextInt(3) == 0 ? ofAnyType() : ofASeed();
      sent++;
      if (isAccepted(check(request))) {
        accepted++;
      }
    }
    LOG.info("{} of {} bodies were accepted", accepted, sent);
    assertThat(accepted).isPositive();
    report();
  }

  private static boolean isAccepted(Answer answer) {
    return answer.code() >= 200 && answer.code() < 300;
  }

  @Test
  void hostileBodiesAreAnsweredProperly() {
    var maps = in("/api/v1/namespaces/{ns}/configmaps");
    for (var body : HostileBodies.documents()) {
      for (var type : List.of("application/json", "application/yaml", "application/cbor")) {
        check(new Sent("POST", maps, type, body));
      }
      for (var type : PATCHES) {
        check(new Sent("PATCH", maps + "/seed?fieldManager=f", type, body));
      }
    }
    for (var body : HostileBodies.binary()) {
      check(new Sent("POST", maps, Encoding.PROTOBUF.mediaType(), body));
      check(new Sent("POST", maps, Encoding.CBOR.mediaType(), body));
    }
    var templates = in("/api/v1/namespaces/{ns}/podtemplates/seed?fieldManager=f&force=true");
    for (var body : HostileBodies.templates()) {
      for (var type : List.of(RunningServer.STRATEGIC, RunningServer.MERGE, RunningServer.APPLY)) {
        check(new Sent("PATCH", templates, type, body));
      }
    }
    report();
  }

  /** Keeps what is wrong for the end, so that one run finds more than one fault. */
  private Answer check(Sent request) {
    try {
      return examined(request);
    } catch (AssertionError e) {
      faults.add(e.getMessage());
      if (faults.size() >= MOST_FAULTS) {
        report();
      }
      return NO_ANSWER;
    }
  }

  private void report() {
    LOG.info("at most, a body cost {} times a plain one", worst);
    if (!faults.isEmpty()) {
      fail(
          "%d faults with seed %d:\n%s"
              .formatted(faults.size(), SEED, String.join("\n\n", faults)));
    }
  }

  private Answer examined(Sent request) {
    var measured = costs.measure(request.body().length, MOST_COST, () -> answered(request));
    worst = Math.max(worst, measured.times());
    assertThat(measured.times())
        .describedAs("cost, in plain requests, of %s", request)
        .isLessThanOrEqualTo(MOST_COST);
    return measured.answer();
  }

  private Answer answered(Sent request) {
    store.written();
    var answer =
        server.send(
            request.method(),
            request.path(),
            request.contentType(),
            RunningServer.JSON,
            request.body());
    if (answer.code() >= 500) {
      fail("%s\n%s".formatted(answer.text(), request));
    }
    if (answer.code() >= 400) {
      var left =
          store.written().stream()
              .filter(key -> BACKGROUND.stream().noneMatch(key::startsWith))
              .toList();
      assertThat(left).describedAs("written by %s", request).isEmpty();
    }
    return answer;
  }

  /** A request about a kind of object that need not exist. */
  private Sent ofAnyType() {
    var type = TYPES.get(random.nextInt(TYPES.size()));
    Json object = values.of(type.shape(), 0);
    var collection =
        (type.kind().group().isEmpty() ? "/api/" : "/apis/")
            + type.groupVersion()
            + (type.namespaced() ? "/namespaces/" + namespace : "")
            + "/"
            + type.plural();
    if (object instanceof JsonObject named) {
      object = sensible(named, type);
    }
    boolean dry = GOVERNING.contains(type.kind().group()) || random.nextInt(3) == 0;
    var query = "?fieldValidation=" + strictness() + (dry ? "&dryRun=All" : "");
    return random.nextInt(4) == 0 && type.verbs().contains("update")
        ? encoded("PUT", collection + "/seed" + query, object)
        : encoded("POST", collection + query, object);
  }

  private JsonObject sensible(JsonObject object, ServedType type) {
    var named = object;
    if (random.nextInt(8) > 0) {
      named =
          named
              .with("kind", type.kind().kind())
              .with("apiVersion", type.kind().apiVersion())
              .with(
                  "metadata",
                  JsonObject.of("name", random.nextBoolean() ? "seed" : "r" + random.nextInt(99)));
    }
    return named;
  }

  /** A request that changes something that was fine, or sends it again with a change. */
  private Sent ofASeed() {
    var seed = Seeds.all().get(random.nextInt(Seeds.all().size()));
    Json object = seed.object();
    for (int i = random.nextInt(3); i >= 0; i--) {
      object = values.mutated(object);
    }
    var query = "?fieldValidation=" + strictness() + (random.nextBoolean() ? "&dryRun=All" : "");
    var collection = in(seed.collection());
    return switch (random.nextInt(4)) {
      case 0 -> encoded("POST", collection + query, renamed(object));
      case 1 -> encoded("PUT", collection + "/seed" + query, object);
      default -> patch(collection + "/seed" + query + "&fieldManager=f&force=true", object);
    };
  }

  private Json renamed(Json object) {
    return object instanceof JsonObject named && random.nextBoolean()
        ? named.with("metadata", JsonObject.of("name", "n" + random.nextInt(200)))
        : object;
  }

  private Sent patch(String path, Json object) {
    var type = PATCHES.get(random.nextInt(PATCHES.size()));
    var clean = type.equals(RunningServer.APPLY) ? path : path.replace("&force=true", "");
    var target =
        type.startsWith("application/apply") && object instanceof JsonObject applied
            ? completed(applied, path)
            : object;
    var body =
        type.equals(RunningServer.JSON_PATCH)
            ? JsonWriter.bytes(operations())
            : JsonWriter.bytes(target);
    return new Sent("PATCH", clean, type, random.nextInt(4) == 0 ? values.mutated(body) : body);
  }

  /** An applied configuration names its kind. */
  private static JsonObject completed(JsonObject object, String path) {
    for (var type : TYPES) {
      var prefix = (type.kind().group().isEmpty() ? "/api/" : "/apis/") + type.groupVersion() + "/";
      if (path.startsWith(prefix) && path.contains("/" + type.plural() + "/")) {
        return object.with("kind", type.kind().kind()).with("apiVersion", type.kind().apiVersion());
      }
    }
    return object;
  }

  private JsonArray operations() {
    var paths =
        List.of(
            "/metadata/labels/a",
            "/metadata/labels",
            "/spec",
            "/spec/template/spec/containers/0",
            "/spec/ports/-",
            "/data/a",
            "",
            "/",
            "/metadata",
            "/metadata/name",
            "/spec/~1~0/x",
            "/spec/ports/99999999999",
            "/status",
            "nonsense",
            "/metadata/finalizers/-");
    var names = List.of("add", "remove", "replace", "move", "copy", "test", "other");
    var operations = new ArrayList<Json>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      operations.add(
          JsonObject.of(
              "op",
              names.get(random.nextInt(names.size())),
              "path",
              paths.get(random.nextInt(paths.size())),
              "from",
              paths.get(random.nextInt(paths.size())),
              "value",
              values.anything(6)));
    }
    return JsonArray.of(operations);
  }

  private String strictness() {
    return List.of("Ignore", "Warn", "Strict").get(random.nextInt(3));
  }

  private Sent encoded(String method, String path, Json object) {
    var encoding = List.of(Encoding.values()).get(random.nextInt(Encoding.values().length));
    byte[] body = null;
    if (object instanceof JsonObject whole) {
      body = bytes(encoding, whole);
    }
    if (body == null) {
      encoding = Encoding.JSON;
      body = JsonWriter.bytes(object);
    }
    return new Sent(
        method, path, encoding.mediaType(), random.nextInt(3) == 0 ? values.mutated(body) : body);
  }

  /** Null when that encoding cannot hold the object. */
  private static byte @Nullable [] bytes(Encoding encoding, JsonObject object) {
    if (encoding != Encoding.PROTOBUF) {
      return Encoders.encode(encoding, object);
    }
    for (var type : TYPES) {
      if (type.kind().kind().equals(object.string("kind"))
          && type.kind().apiVersion().equals(object.string("apiVersion"))) {
        try {
          return Encoders.encode(encoding, TypedReader.normal(type.shape(), object));
        } catch (DecodeException | IllegalArgumentException e) {
          return null;
        }
      }
    }
    return null;
  }
}
