package dev.muster.cli.status;

import dev.muster.cli.command.Command;
import dev.muster.cli.command.CommandFailure;
import dev.muster.cli.command.Logs;
import dev.muster.controllers.client.Clients;
import dev.muster.controllers.client.Kubeconfig;
import dev.muster.server.flags.FlagDefinition;
import dev.muster.server.flags.RecordFlags;
import dev.muster.server.options.LoggingOptions;
import dev.muster.wire.JsonIndent;
import dev.muster.wire.JsonWriter;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code muster status}: shows the state of the fleet, from any server that answers. */
public final class StatusCommand implements Command {
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
  public int run(Call call) throws InterruptedException {
    var flags = RecordFlags.of(StatusFlags.defaults()).read(call.flags());
    Logs.configureQuiet(LoggingOptions.defaults());
    var failures = new ArrayList<String>();
    for (var kubeconfig : kubeconfigs(flags.connection())) {
      for (var context : contexts(kubeconfig, flags.connection())) {
        try {
          kubeconfig.check(context);
          show(call, flags, kubeconfig, context);
          return 0;
        } catch (KubernetesClientException e) {
          if (e.getCode() > 0) {
            throw new CommandFailure(
                "the server of context " + context + " answers: " + firstLine(e), e);
          }
          failures.add(context + ": " + reason(e));
        } catch (IllegalArgumentException e) {
          failures.add(context + ": " + firstLine(e));
        }
      }
    }
    throw new CommandFailure("no API server answers (" + String.join("; ", failures) + ")");
  }

  private static void show(Call call, StatusFlags flags, Kubeconfig kubeconfig, String context)
      throws InterruptedException {
    try (var client = Clients.of(kubeconfig.file(), context, flags.connection().timeout())) {
      print(
          call,
          flags,
          kubeconfig.file(),
          new StatusReader(
              new ClientApi(client, flags.connection().timeout()),
              flags.connection().identityNamespace(),
              Clock.systemUTC(),
              new StatusReader.Patience(flags.connection().watchTimeout(), Thread::sleep)));
    }
  }

  private static String firstLine(Throwable problem) {
    return String.valueOf(problem.getMessage()).lines().findFirst().orElse("no reason given");
  }

  /** Uses the innermost message, because the client's own is uninformative. */
  private static String reason(Throwable problem) {
    var deepest = problem;
    while (deepest.getCause() != null && deepest.getCause() != deepest) {
      deepest = deepest.getCause();
    }
    return deepest.getMessage() == null ? deepest.getClass().getSimpleName() : firstLine(deepest);
  }

  private static void print(Call call, StatusFlags flags, Path kubeconfig, StatusReader reader)
      throws InterruptedException {
    var status = reader.read();
    var certificates = CertificateReport.of(urls(status), kubeconfig, status.now());
    call.out()
        .println(
            switch (flags.output().format()) {
              case TABLE ->
                  Stream.concat(
                          Stream.of(new StatusText(status).text()), certificates.lines().stream())
                      .collect(Collectors.joining("\n"));
              case JSON ->
                  new String(
                          JsonIndent.of(
                              JsonWriter.bytes(
                                  StatusJson.of(status).with("certificates", certificates.json()))),
                          StandardCharsets.UTF_8)
                      .strip();
            });
  }

  /** The URLs of the answering server and of the other live ones. */
  private static Set<String> urls(FleetStatus status) {
    var urls = new LinkedHashSet<String>();
    if (status.askedUrl().startsWith("https://")) {
      urls.add(status.askedUrl());
    }
    for (var server : status.servers()) {
      if (server.state() == FleetStatus.State.LIVE && !server.addresses().isEmpty()) {
        urls.add("https://" + server.addresses().getFirst());
      }
    }
    return urls;
  }

  /**
   * The flag's file; otherwise the existing files of KUBECONFIG; otherwise that of {@code muster
   * up}.
   */
  private static List<Kubeconfig> kubeconfigs(StatusFlags.Connection connection) {
    var given = connection.kubeconfig();
    var named = System.getenv("KUBECONFIG");
    var files = new ArrayList<Path>();
    if (given != null) {
      files.add(given);
    } else if (named == null || named.isEmpty()) {
      files.add(Path.of(".muster", "admin.kubeconfig"));
    } else {
      for (var text : named.split(File.pathSeparator)) {
        if (!text.isEmpty()) {
          files.add(Path.of(text));
        }
      }
    }
    if (files.size() > 1) {
      var there = files.stream().filter(Files::exists).toList();
      files = there.isEmpty() ? files : new ArrayList<>(there);
    }
    try {
      return files.stream().map(Kubeconfig::read).toList();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure("--kubeconfig: " + e.getMessage(), e);
    }
  }

  private static List<String> contexts(Kubeconfig kubeconfig, StatusFlags.Connection connection) {
    var given = connection.context();
    if (given == null) {
      return kubeconfig.contexts();
    }
    if (!kubeconfig.contexts().contains(given)) {
      throw new CommandFailure("--context: " + kubeconfig.file() + " has no context " + given);
    }
    return List.of(given);
  }
}
