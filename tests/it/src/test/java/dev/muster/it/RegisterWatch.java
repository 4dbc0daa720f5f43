package dev.muster.it;

import dev.muster.it.history.History;
import dev.muster.it.history.Observation.Event;
import dev.muster.it.history.Observation.Watch;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.JsonReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Follows all registers on a thread of its own, as a client does: resumes after the last event when
 * a connection breaks, on the next server if need be, and lists again when it is told that it is
 * too late.
 */
final class RegisterWatch {
  private final String name;
  private final List<HttpApi> servers;
  private final History history;
  private final Thread thread;
  private final List<Event> events = new ArrayList<>();
  private int server;
  private long after;
  private volatile long upTo;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger();
  private volatile boolean stopped;
  private volatile @Nullable InputStream open;

  /** Begins with the given server, after that revision, at which there was nothing. */
  RegisterWatch(String name, List<HttpApi> servers, int first, History history, long revision) {
    this.name = name;
    this.servers = servers;
    this.server = first;
    this.history = history;
    this.after = 0;
    this.upTo = revision;
    thread = Thread.ofVirtual().name(name).start(this::follow);
  }

  /** Up to which revision it has seen everything. */
  long upTo() {
    return upTo;
  }

  int connections() {
    return connections.get();
  }

  int lists() {
    return lists.get();
  }

  private void follow() {
    while (!stopped) {
      try {
        if (isExpired()) {
          listAgain();
        }
      } catch (IOException | RuntimeException e) {
        server = (server + 1) % servers.size();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Follows until the connection ends; answers whether the server had forgotten too much. */
  private boolean isExpired() throws IOException, InterruptedException {
    var path = RegisterClient.PATH + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + upTo;
    try (var body = servers.get(server).watch(path);
        var lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
      open = body;
      connections.incrementAndGet();
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        var event = (JsonObject) JsonReader.read(line.getBytes(StandardCharsets.UTF_8));
        if (event.string("type").equals("ERROR")) {
          return expired(event.object("object").toString());
        }
        take(event.string("type"), event.object("object"));
      }
      return false;
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).startsWith("410")) {
        return true;
      }
      throw e;
    }
  }

  private static boolean expired(String status) throws IOException {
    if (status.contains("410")) {
      return true;
    }
    throw new IOException(status);
  }

  private void take(String type, JsonObject object) {
    var metadata = object.object("metadata");
    long revision = Long.parseLong(metadata.string("resourceVersion"));
    if (!type.equals("BOOKMARK")) {
      synchronized (events) {
        events.add(
            new Event(
                metadata.string("name"),
                RegisterClient.value(object),
                revision,
                type.equals("DELETED")));
      }
    }
    upTo = revision;
  }

  private void listAgain() throws IOException {
    long revision = new RegisterClient(servers.get(server), history).list();
    if (revision < 0) {
      throw new IOException("not now");
    }
    record();
    lists.incrementAndGet();
    after = revision;
    upTo = revision;
  }

  private void record() {
    synchronized (events) {
      history.add(new Watch(name, after, upTo, List.copyOf(events)));
      events.clear();
    }
  }

  /** Ends it and puts what it saw on record. */
  void stop() throws InterruptedException, IOException {
    stopped = true;
    var body = open;
    if (body != null) {
      body.close();
    }
    thread.interrupt();
    thread.join();
    record();
  }
}
