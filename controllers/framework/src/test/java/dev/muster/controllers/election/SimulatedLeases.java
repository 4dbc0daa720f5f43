package dev.muster.controllers.election;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One thread owns it. One Lease behind an API server with optimistic concurrency, whose requests
 * take time, fail, are stored without an answer, or are stored when their client has given up.
 */
final class SimulatedLeases implements LeaseRequests {
  private final RandomGenerator random;
  private final List<Late> late = new ArrayList<>();
  private Duration now = Duration.ofHours(1);
  private @Nullable JsonObject lease;
  private long version;

  /** How many of a hundred requests go wrong. */
  private int faults;

  /** A write that arrives at some time. */
  private record Late(String method, JsonObject body, Duration at) {}

  SimulatedLeases(RandomGenerator random) {
    this.random = random;
  }

  Duration now() {
    return now;
  }

  void faults(int percent) {
    faults = percent;
  }

  void advanceTo(Duration time) {
    while (true) {
      var next =
          late.stream().filter(each -> each.at().compareTo(time) <= 0).findFirst().orElse(null);
      if (next == null) {
        break;
      }
      late.remove(next);
      var _ = serve(next.method(), next.body());
    }
    now = now.compareTo(time) < 0 ? time : now;
  }

  void delete() {
    lease = null;
  }

  void edit(JsonObject spec) {
    var before = lease == null ? JsonObject.of("metadata", JsonObject.EMPTY) : lease;
    store(before.with("spec", spec));
  }

  JsonObject spec() {
    return lease == null ? JsonObject.EMPTY : lease.object("spec");
  }

  @Override
  public Answer send(String method, String path, JsonObject body, Duration patience) {
    if (!patience.isPositive()) {
      throw new LeaseUnreachable("no time left");
    }
    if (random.nextInt(100) >= faults) {
      advanceTo(now.plusMillis(random.nextLong(Math.clamp(patience.toMillis(), 1, 50))));
      return serve(method, body);
    }
    switch (random.nextInt(4)) {
      case 0 -> {
        return new Answer(500, JsonObject.of("message", "no leader"));
      }
      case 1 -> {
        var _ = serve(method, body);
        advanceTo(now.plus(patience));
      }
      case 2 -> {
        late.add(new Late(method, body, now.plusMillis(random.nextLong(30_000))));
        advanceTo(now.plus(patience));
      }
      default -> advanceTo(now.plusMillis(random.nextLong(patience.toMillis() + 1)));
    }
    throw new LeaseUnreachable("no answer");
  }

  private Answer serve(String method, JsonObject body) {
    var current = lease;
    return switch (method) {
      case "GET" -> current == null ? new Answer(404, JsonObject.EMPTY) : new Answer(200, current);
      case "POST" ->
          current == null ? new Answer(201, store(body)) : new Answer(409, JsonObject.EMPTY);
      case "PUT" -> {
        if (current == null) {
          yield new Answer(404, JsonObject.EMPTY);
        }
        yield version(current).equals(version(body))
            ? new Answer(200, store(body))
            : new Answer(409, JsonObject.EMPTY);
      }
      default -> throw new IllegalArgumentException(method);
    };
  }

  private JsonObject store(JsonObject object) {
    var metadata = object.object("metadata").with("resourceVersion", Long.toString(++version));
    var stored = object.with("metadata", metadata);
    lease = stored;
    return stored;
  }

  private static String version(JsonObject object) {
    return object.object("metadata").string("resourceVersion");
  }
}
