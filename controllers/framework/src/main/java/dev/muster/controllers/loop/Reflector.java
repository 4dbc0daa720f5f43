package dev.muster.controllers.loop;

import dev.muster.controllers.client.ApiRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all objects of one resource through every failure of the API server, and keeps only the
 * needed parts of each. The initial state is streamed if the server supports that, and paged
 * otherwise. After a gap, objects that disappeared meanwhile are reported as deleted. One virtual
 * thread reads and calls the handler; any thread may close it.
 */
public final class Reflector<T> implements Loops.Followed {
  private static final Logger log = LoggerFactory.getLogger(Reflector.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final int SHORTEST_WATCH = 300;
  private static final int PAGE = 500;
  private static final int GONE = 410;

  /** Receives the objects, on one thread. A slow handler only slows its own stream. */
  public interface Handler<T> {
    /** The object exists, is new or has changed. */
    void seen(T object);

    /** The object was deleted; the argument is its last observed state. */
    void gone(T object);

    /**
     * All objects have been read, at the start or after a gap. Objects that were created and
     * deleted within the gap are not reported.
     *
     * @param version of the complete read
     */
    default void readAnew(String version) {}
  }

  private final ApiRequests requests;
  private final String path;
  private final boolean metadataOnly;
  private final Function<Map<String, Object>, T> reader;
  private final Handler<T> handler;
  private final Map<String, T> known = new HashMap<>();
  private final Thread thread;
  private final CountDownLatch synced = new CountDownLatch(1);
  private @Nullable Set<String> arrived;
  private String version = "";
  private boolean streams = true;
  private Duration pause = FIRST_PAUSE;
  private volatile boolean closed;
  private volatile ApiRequests.@Nullable Streamed stream;

  private Reflector(
      ApiRequests requests,
      String path,
      boolean metadataOnly,
      Function<Map<String, Object>, T> reader,
      Handler<T> handler) {
    this.requests = requests;
    this.path = path;
    this.metadataOnly = metadataOnly;
    this.reader = reader;
    this.handler = handler;
    this.thread = Thread.ofVirtual().name("reflector " + path).unstarted(this::run);
  }

  /**
   * Follows whole objects.
   *
   * @param path of the resource in all namespaces; a query such as {@code ?labelSelector=…} selects
   *     objects
   * @param reader extracts the needed parts of an object
   */
  public static <T> Reflector<T> start(
      ApiRequests requests,
      String path,
      Function<Map<String, Object>, T> reader,
      Handler<T> handler) {
    var reflector = new Reflector<>(requests, path, false, reader, handler);
    reflector.thread.start();
    return reflector;
  }

  /** Follows objects with their metadata only. */
  public static <T> Reflector<T> startMetadataOnly(
      ApiRequests requests,
      String path,
      Function<Map<String, Object>, T> reader,
      Handler<T> handler) {
    var reflector = new Reflector<>(requests, path, true, reader, handler);
    reflector.thread.start();
    return reflector;
  }

  @Override
  public boolean synced() {
    return synced.getCount() == 0;
  }

  @Override
  public void awaitSynced() throws InterruptedException {
    synced.await();
  }

  /** Ends the reflector and waits for its end; the handler is not called afterwards. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    drop(stream);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The known objects; call it only after the end. */
  public List<T> remaining() {
    return List.copyOf(known.values());
  }

  private void run() {
    while (!closed) {
      try {
        if (version.isEmpty() && !streams) {
          list();
        }
        if (watch()) {
          pause = FIRST_PAUSE;
        } else {
          rest();
        }
      } catch (GoneException e) {
        log.debug("{} is read anew: {}", path, e.getMessage());
        version = "";
        rest();
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          log.info("{} cannot be followed now: {}", path, e.getMessage());
          rest();
        }
      }
    }
  }

  private void rest() {
    if (closed) {
      return;
    }
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      log.debug("{} ends", path);
    }
    var longer = pause.multipliedBy(2);
    pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }

  private String separator() {
    return path.contains("?") ? "&" : "?";
  }

  private void list() {
    arrived = new HashSet<>();
    var next = "";
    String read;
    do {
      var page = ApiRequests.page(path, PAGE, next);
      var accept = metadataOnly ? ApiRequests.METADATA_LIST : "application/json";
      var answer = requests.send("GET", page, accept);
      if (answer.code() == GONE) {
        throw new GoneException("a page is too old");
      }
      var body = answer.orThrow();
      if (body.get("items") instanceof List<?> items) {
        items.forEach(item -> see(map(item)));
      }
      var metadata = map(body.get("metadata"));
      read = text(metadata, "resourceVersion");
      next = text(metadata, "continue");
    } while (!next.isEmpty());
    settle(read);
  }

  /**
   * Whether any event arrived; a server that closes every watch at once is asked again only after a
   * pause.
   */
  private boolean watch() throws IOException {
    boolean initial = version.isEmpty();
    int seconds = SHORTEST_WATCH + ThreadLocalRandom.current().nextInt(SHORTEST_WATCH);
    var query =
        separator()
            + "watch=true&allowWatchBookmarks=true&timeoutSeconds="
            + seconds
            + (initial
                ? "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                : "&resourceVersion=" + encode(version));
    var accept = metadataOnly ? ApiRequests.METADATA : "application/json";
    try (var answer = requests.stream(path + query, accept)) {
      stream = answer;
      var reader = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
      if (answer.code() != 200) {
        refuse(answer.code(), String.valueOf(reader.readLine()), initial);
        return true;
      }
      if (initial) {
        arrived = new HashSet<>();
      }
      var guard = guard(answer, seconds);
      boolean any = false;
      try {
        for (var line = reader.readLine(); line != null && !closed; line = reader.readLine()) {
          apply(requests.read(line));
          any = true;
        }
        return any;
      } finally {
        guard.interrupt();
      }
    } finally {
      stream = null;
    }
  }

  /**
   * Closes a watch without data for that long, because a vanished server would otherwise not be
   * noticed.
   */
  private static Thread guard(ApiRequests.Streamed answer, int seconds) {
    return Thread.startVirtualThread(
        () -> {
          try {
            Thread.sleep(Duration.ofSeconds(seconds + 30L));
            drop(answer);
          } catch (InterruptedException e) {
            log.trace("ended in time");
          }
        });
  }

  private void refuse(int code, String message, boolean initial) {
    if (code == GONE) {
      throw new GoneException(message);
    }
    if (initial && (code == 400 || code == 422)) {
      streams = false;
      return;
    }
    throw ApiRequests.failure("GET", path, code, message);
  }

  private void apply(Map<String, Object> event) {
    var object = map(event.get("object"));
    switch (text(event, "type")) {
      case "ADDED", "MODIFIED" -> {
        see(object);
        advance(object);
      }
      case "DELETED" -> {
        var last = known.remove(uid(object));
        handler.gone(last == null ? reader.apply(object) : last);
        advance(object);
      }
      case "BOOKMARK" -> bookmark(map(object.get("metadata")));
      case "ERROR" -> {
        var code = object.get("code") instanceof Integer number ? number : 0;
        if (code == GONE) {
          throw new GoneException(text(object, "message"));
        }
        // A kube-apiserver whose etcd cannot report progress begins the stream and then ends it
        // like this.
        streams &= arrived == null;
        throw ApiRequests.failure("GET", path, code, text(object, "message"));
      }
      default -> log.warn("{}: an event of an unknown type {}", path, event.get("type"));
    }
  }

  private void see(Map<String, Object> object) {
    var read = reader.apply(object);
    var uid = uid(object);
    known.put(uid, read);
    var arrivals = arrived;
    if (arrivals != null) {
      arrivals.add(uid);
    }
    handler.seen(read);
  }

  /**
   * Before the initial state is complete, versions of objects are no valid position to resume from.
   */
  private void advance(Map<String, Object> object) {
    if (arrived == null) {
      version = text(map(object.get("metadata")), "resourceVersion");
    }
  }

  private void bookmark(Map<String, Object> metadata) {
    var read = text(metadata, "resourceVersion");
    if (arrived == null) {
      version = read;
    } else if ("true".equals(map(metadata.get("annotations")).get("k8s.io/initial-events-end"))) {
      settle(read);
    }
  }

  /** The initial state is complete: objects that did not arrive are deleted. */
  private void settle(String read) {
    var arrivals = arrived;
    arrived = null;
    version = read;
    if (arrivals != null) {
      var objects = known.entrySet().iterator();
      while (objects.hasNext()) {
        var entry = objects.next();
        if (!arrivals.contains(entry.getKey())) {
          objects.remove();
          handler.gone(entry.getValue());
        }
      }
    }
    synced.countDown();
    handler.readAnew(read);
  }

  private static void drop(ApiRequests.@Nullable Streamed stream) {
    if (stream != null) {
      try {
        stream.close();
      } catch (RuntimeException e) {
        log.debug("closed already", e);
      }
    }
  }

  private static String uid(Map<String, Object> object) {
    return text(map(object.get("metadata")), "uid");
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }

  private static String text(Map<String, Object> object, String field) {
    return object.get(field) instanceof String text ? text : "";
  }

  /** The requested version is older than the server's history. */
  private static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GoneException(String message) {
      super(message);
    }
  }
}
