package dev.muster.bench;

import dev.muster.bench.client.Api;
import dev.muster.bench.client.BenchFailure;
import dev.muster.bench.client.PreparedRequest;
import dev.muster.bench.client.RequestFactory;
import dev.muster.bench.client.RequestLoad;
import dev.muster.bench.client.RequestSource;
import dev.muster.bench.client.Tally;
import dev.muster.bench.client.Transport;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Used by one thread: the namespaces and ConfigMaps of one run, made when a scenario first needs
 * them and deleted at the end. Names are unique to the run.
 */
public final class SeedData implements AutoCloseable {
  static final int SMALL = 1_000;
  static final int LARGE = 6_000;

  private final Transport transport;
  private final RequestFactory requests;
  private final Api api;
  private final BenchOptions options;
  private final Progress progress;
  private final String prefix =
      "muster-bench-" + HexFormat.of().toHexDigits(new Random().nextInt());
  private final String payload;
  private final Map<String, Integer> namespaces = new LinkedHashMap<>();

  public SeedData(
      Transport transport,
      RequestFactory requests,
      Api api,
      BenchOptions options,
      Progress progress) {
    this.transport = transport;
    this.requests = requests;
    this.api = api;
    this.options = options;
    this.progress = progress;
    this.payload = payload(options.objectBytes());
  }

  /** The path of the ConfigMaps of a namespace that holds that many, made when it is not there. */
  public String configMaps(String purpose, int count) {
    var namespace = prefix + "-" + purpose;
    if (!namespaces.containsKey(namespace)) {
      api.expect(
          requests.post(
              "/api/v1/namespaces",
              "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                  + namespace
                  + "\"}}"));
      namespaces.put(namespace, 0);
      var path = path(namespace);
      run(
          "seeding " + purpose,
          count,
          number -> requests.post(path, configMap(objectName(number))));
      namespaces.put(namespace, count);
    }
    return path(namespace);
  }

  /** Says that a scenario has made objects up to that number, so that they are deleted as well. */
  void made(String purpose, int count) {
    namespaces.merge(prefix + "-" + purpose, count, Math::max);
  }

  /** What all names of the run begin with. */
  public String prefix() {
    return prefix;
  }

  /** Text of the chosen size. */
  String payload() {
    return payload;
  }

  public static String objectName(int number) {
    return "object-" + number;
  }

  /** A ConfigMap of the chosen size. */
  String configMap(String name) {
    return configMap(name, 0);
  }

  /** A ConfigMap that differs from all those with other numbers. */
  String configMap(String name, int number) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
        + name
        + "\",\"labels\":{\"app\":\"muster-bench\"}},\"data\":{\"number\":\""
        + number
        + "\",\"payload\":\""
        + payload
        + "\"}}";
  }

  /** Deletes everything, and finishes the namespaces where no controller does. */
  @Override
  public void close() {
    namespaces.forEach(
        (namespace, count) -> {
          var path = path(namespace);
          run("cleaning up", count, number -> requests.delete(path + "/" + objectName(number)));
          api.call(requests.delete("/api/v1/namespaces/" + namespace));
          api.call(
              requests.put(
                  "/api/v1/namespaces/" + namespace + "/finalize",
                  "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                      + namespace
                      + "\"},\"spec\":{\"finalizers\":[]}}"));
        });
    namespaces.clear();
    progress.clear();
  }

  /** Sends that many requests; a failure of one is a failure of the run while data is made. */
  void run(String what, int count, IntFunction<PreparedRequest> request) {
    if (count == 0) {
      return;
    }
    var next = new AtomicInteger();
    var tally = new Tally();
    RequestSource source =
        connection -> {
          int number = next.getAndIncrement();
          return number < count ? request.apply(number) : null;
        };
    progress.show(what + ": " + count + " objects");
    try (var load =
        new RequestLoad(transport, options.connections(), options.inFlight(), source, 0, tally)) {
      load.awaitFinish(10, TimeUnit.MINUTES);
    }
    if (tally.errors() > 0 && what.startsWith("seeding")) {
      throw new BenchFailure(what + " failed: " + tally.firstError());
    }
  }

  private static String path(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  /** Text that does not compress to nothing. */
  private static String payload(int size) {
    var random = new Random(42);
    var text = new StringBuilder(size);
    for (int i = 0; i < size; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }
}
