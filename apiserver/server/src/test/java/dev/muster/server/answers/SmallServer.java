package dev.muster.server.answers;

import dev.muster.store.MemoryStore;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Random;

/** A process of its own: a server with some megabytes of ConfigMaps, in as small a heap as fits. */
final class SmallServer {
  static final int OBJECTS = 160;
  static final int VALUE = 50_000;

  private SmallServer() {}

  /** Prints its port when it is ready, and serves until it is killed. */
  public static void main(String[] arguments) throws Exception {
    var server =
        RunningServer.start(
            Path.of(arguments[0]), new MemoryStore(), Map.of("CBORServingAndStorage", true));
    server.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"slow\"}}");
    var random = new Random(1);
    for (int i = 0; i < OBJECTS; i++) {
      var answer =
          server.post(
              "/api/v1/namespaces/slow/configmaps",
              "{\"metadata\":{\"name\":\"c%03d\",\"annotations\":{\"a\":\"%s\"}},\"data\":{\"k\":\"%s\"}}"
                  .formatted(i, text(random), text(random)));
      if (answer.code() != 201) {
        throw new IllegalStateException(answer.text());
      }
    }
    System.out.println("port " + server.port());
    Thread.currentThread().join();
  }

  /** Nothing that could be compressed. */
  private static String text(Random random) {
    var bytes = new byte[VALUE * 3 / 8];
    random.nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
