package dev.muster.cli;

import dev.muster.cli.flags.FlagDefinition;
import dev.muster.cli.flags.RecordFlags;
import dev.muster.cli.status.StatusJson;
import dev.muster.cli.status.StatusReader;
import dev.muster.cli.status.StatusText;
import dev.muster.controllers.Clients;
import dev.muster.model.JsonObject;
import dev.muster.server.options.LogOptions;
import dev.muster.wire.JsonIndent;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code muster status}: the fleet at a glance, from any server that answers. */
final class StatusCommand implements Command {
  private static final int NOT_FOUND = 404;

  @Override
  public String name() {
    return "status";
  }

  @Override
  public String summary() {
    return "Show the fleet: its API servers, what they serve, endpoints, leader, store.";
  }

  @Override
  public String description() {
    return "Asks one API server, the first of the kubeconfig's that answers.";
  }

  @Override
  public List<FlagDefinition> flags() {
    return RecordFlags.of(StatusFlags.defaults()).definitions();
  }

  @Override
  public Map<String, String> shortForms() {
    return Map.of("o", "output");
  }

  @Override
  public int run(Call call) {
    var flags = RecordFlags.of(StatusFlags.defaults()).read(call.flags());
    Logs.configureQuiet(LogOptions.defaults());
    var file = kubeconfig(flags.connection());
    if (!Files.isReadable(file)) {
      throw new CommandFailure("--kubeconfig: " + file + " cannot be read");
    }
    var failures = new ArrayList<String>();
    for (var context : contexts(file, flags.connection())) {
      try (var client = Clients.of(file, context, flags.connection().timeout())) {
        var reader =
            new StatusReader(
                new FromClient(client), flags.connection().identityNamespace(), Clock.systemUTC());
        print(call, flags, reader);
        return 0;
      } catch (KubernetesClientException e) {
        if (e.getCode() > 0) {
          throw new CommandFailure(
              "the server of context " + context + " answers: " + e.getMessage(), e);
        }
        failures.add(context);
      }
    }
    throw new CommandFailure(
        "no API server answers (contexts tried: " + String.join(", ", failures) + ")");
  }

  private static void print(Call call, StatusFlags flags, StatusReader reader) {
    var status = reader.read();
    call.out()
        .println(
            switch (flags.output().format()) {
              case TABLE -> new StatusText(status).text();
              case JSON ->
                  new String(
                          JsonIndent.of(JsonWriter.bytes(StatusJson.of(status))),
                          StandardCharsets.UTF_8)
                      .strip();
            });
  }

  private static Path kubeconfig(StatusFlags.Connection connection) {
    var given = connection.kubeconfig();
    if (given != null) {
      return given;
    }
    var named = System.getenv("KUBECONFIG");
    return named == null || named.isEmpty()
        ? Path.of(".muster", "admin.kubeconfig")
        : Path.of(named);
  }

  private static List<String> contexts(Path file, StatusFlags.Connection connection) {
    var given = connection.context();
    var known = Clients.contexts(file);
    if (given == null) {
      return known;
    }
    if (!known.contains(given)) {
      throw new CommandFailure("--context: " + file + " has no context " + given);
    }
    return List.of(given);
  }

  /** Asks through a client, in JSON. */
  private record FromClient(KubernetesClient client) implements StatusReader.Api {
    @Override
    public String url() {
      var url = client.getMasterUrl().toString();
      return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    @Override
    public JsonObject get(String path) {
      try {
        var body = client.raw(path);
        return body != null
                && JsonReader.read(body.getBytes(StandardCharsets.UTF_8))
                    instanceof JsonObject object
            ? object
            : JsonObject.EMPTY;
      } catch (KubernetesClientException e) {
        if (e.getCode() == NOT_FOUND) {
          return JsonObject.EMPTY;
        }
        throw e;
      }
    }

    @Override
    public String text(String path) {
      try {
        var body = client.raw(path);
        return body == null ? "" : body;
      } catch (KubernetesClientException e) {
        if (e.getCode() > 0) {
          return String.valueOf(e.getMessage());
        }
        throw e;
      }
    }
  }
}
