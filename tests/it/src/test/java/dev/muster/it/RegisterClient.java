package dev.muster.it;

import dev.muster.it.history.History;
import dev.muster.it.history.Observation;
import dev.muster.it.history.Observation.Delete;
import dev.muster.it.history.Observation.Listing;
import dev.muster.it.history.Observation.Outcome;
import dev.muster.it.history.Observation.Read;
import dev.muster.it.history.Observation.Write;
import dev.muster.model.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Safe for any thread. ConfigMaps as registers, with everything that happens put on record. What
 * fails is recorded too: as refused when the server said so, as unknown otherwise.
 */
final class RegisterClient {
  static final String NAMESPACE = "chaos";
  static final String PATH = "/api/v1/namespaces/" + NAMESPACE + "/configmaps";

  private static final AtomicLong VALUES = new AtomicLong();

  private final HttpApi api;
  private final History history;
  private volatile boolean lost;

  RegisterClient(HttpApi api, History history) {
    this.api = api;
    this.history = history;
  }

  /** Whether a request was lost with its server. */
  boolean lostRequests() {
    return lost;
  }

  boolean create(String key) {
    return write("POST", PATH, key, "");
  }

  /** Writes whatever is there now. */
  void put(String key) {
    write("PUT", PATH + "/" + key, key, "");
  }

  void patch(String key) {
    write("PATCH", PATH + "/" + key, key, "");
  }

  /** Writes unless somebody else does between its read and its write. */
  void compareAndPut(String key) {
    long revision = read(key);
    if (revision > Observation.NONE) {
      write("PUT", PATH + "/" + key, key, ",\"resourceVersion\":\"" + revision + "\"");
    }
  }

  void delete(String key) {
    long began = System.nanoTime();
    var outcome = Outcome.UNKNOWN;
    try {
      outcome = outcome(api.send("DELETE", PATH + "/" + key, "").code());
    } catch (IOException _) {
      // Nobody knows what became of it.
      lost = true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    history.add(new Delete(key, began, System.nanoTime(), outcome));
  }

  private boolean write(String method, String path, String key, String metadata) {
    var value = "v" + VALUES.incrementAndGet();
    var body =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\"%s},\"data\":{\"v\":\"%s\"}}"
            .formatted(key, metadata, value);
    long began = System.nanoTime();
    var outcome = Outcome.UNKNOWN;
    long revision = Observation.NONE;
    try {
      var answer = api.send(method, path, body);
      outcome = outcome(answer.code());
      revision = outcome == Outcome.ACKNOWLEDGED ? answer.revision() : Observation.NONE;
    } catch (IOException _) {
      // Nobody knows what became of it.
      lost = true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    history.add(new Write(key, value, began, System.nanoTime(), outcome, revision));
    return outcome == Outcome.ACKNOWLEDGED;
  }

  private static Outcome outcome(int code) {
    if (code < 300) {
      return Outcome.ACKNOWLEDGED;
    }
    return code < 500 && code != 429 ? Outcome.REFUSED : Outcome.UNKNOWN;
  }

  /** Reads the latest; answers its revision, none when it is not there, -1 when that failed. */
  long read(String key) {
    long began = System.nanoTime();
    try {
      var answer = api.get(PATH + "/" + key);
      long ended = System.nanoTime();
      if (answer.code() == 404) {
        history.add(new Read(key, "", Observation.NONE, began, ended));
        return Observation.NONE;
      }
      if (answer.code() != 200) {
        return -1;
      }
      history.add(new Read(key, value(answer.json()), answer.revision(), began, ended));
      return answer.revision();
    } catch (IOException _) {
      lost = true;
      return -1;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /** Lists the latest; answers its revision, -1 when that failed. */
  long list() {
    long began = System.nanoTime();
    try {
      var answer = api.get(PATH);
      if (answer.code() != 200) {
        return -1;
      }
      Map<String, String> values = new HashMap<>();
      for (var item : answer.json().array("items")) {
        var object = (JsonObject) item;
        values.put(object.object("metadata").string("name"), value(object));
      }
      history.add(new Listing(answer.revision(), values, began, System.nanoTime()));
      return answer.revision();
    } catch (IOException _) {
      lost = true;
      return -1;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  static String value(JsonObject object) {
    return object.object("data").string("v");
  }
}
