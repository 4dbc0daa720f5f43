package dev.muster.openapi;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The parameters of operations. */
enum OperationParameters {
  ALLOW_WATCH_BOOKMARKS(
      "allowWatchBookmarks", "boolean", "Asks a watch for events that only say how far it is."),
  COMMAND("command", "string", "The command and its arguments, each on its own."),
  CONTAINER("container", "string", "The container; where there is one only, it need not be said."),
  CONTINUE("continue", "string", "The token of the previous page, to get the next one."),
  DRY_RUN("dryRun", "string", "All: do everything but keep the result."),
  FIELD_MANAGER("fieldManager", "string", "The name under which changed fields are owned."),
  FIELD_SELECTOR("fieldSelector", "string", "Which objects, by their fields."),
  FIELD_VALIDATION(
      "fieldValidation",
      "string",
      "What becomes of unknown and duplicate fields: Ignore drops them, Warn says so in a header,"
          + " Strict refuses the request."),
  FOLLOW("follow", "boolean", "Goes on with the log as it is written."),
  FORCE("force", "boolean", "Lets an apply take over fields that others own."),
  GRACE_PERIOD(
      "gracePeriodSeconds", "integer", "How long the object may take to go; 0 is at once."),
  IGNORE_STORE_ERRORS(
      "ignoreStoreReadErrorWithClusterBreakingPotential",
      "boolean",
      "Deletes an object that cannot be read, without any of its finalizers."),
  INSECURE_BACKEND(
      "insecureSkipTLSVerifyBackend",
      "boolean",
      "Does not ask who the kubelet is: the log may be anybody's."),
  LABEL_SELECTOR("labelSelector", "string", "Which objects, by their labels."),
  LIMIT("limit", "integer", "The most objects on a page."),
  LIMIT_BYTES("limitBytes", "integer", "The most bytes of the log."),
  NAME("name", "string", "The name of the object."),
  NAMESPACE("namespace", "string", "The namespace of the object."),
  ORPHAN_DEPENDENTS("orphanDependents", "boolean", "Use propagationPolicy instead."),
  PATH("path", "string", "The path behind the proxy."),
  PORTS("ports", "integer", "The ports to forward."),
  PRETTY("pretty", "string", "true: on lines, for people to read."),
  PREVIOUS("previous", "boolean", "The log of the container that ran before this one."),
  PROPAGATION_POLICY(
      "propagationPolicy",
      "string",
      "What becomes of dependents: Orphan, Background or Foreground."),
  RESOURCE_VERSION("resourceVersion", "string", "The revision that the answer depends on."),
  RESOURCE_VERSION_MATCH(
      "resourceVersionMatch", "string", "Whether that revision is meant: NotOlderThan or Exact."),
  SEND_INITIAL_EVENTS(
      "sendInitialEvents", "boolean", "Begins a watch with the objects that are there."),
  SINCE_SECONDS("sinceSeconds", "integer", "Only what was logged in the last seconds."),
  STDERR("stderr", "boolean", "Whether the errors are wanted."),
  STDIN("stdin", "boolean", "Whether there will be input."),
  STDOUT("stdout", "boolean", "Whether the output is wanted."),
  STREAM("stream", "string", "Which output of the container: All, Stdout or Stderr."),
  TAIL_LINES("tailLines", "integer", "Only so many lines from the end."),
  TARGET("path", "string", "The path, query and port part of what is asked for."),
  TIMEOUT("timeoutSeconds", "integer", "How long a list or watch may take."),
  TIMESTAMPS("timestamps", "boolean", "Begins each line of the log with its time."),
  TTY("tty", "boolean", "Whether there is a terminal."),
  WATCH("watch", "boolean", "Gives changes as they happen instead of a list.");

  static final List<OperationParameters> LIST =
      List.of(
          ALLOW_WATCH_BOOKMARKS,
          CONTINUE,
          FIELD_SELECTOR,
          LABEL_SELECTOR,
          LIMIT,
          RESOURCE_VERSION,
          RESOURCE_VERSION_MATCH,
          SEND_INITIAL_EVENTS,
          TIMEOUT,
          WATCH);
  static final List<OperationParameters> WRITE = List.of(DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION);
  static final List<OperationParameters> PATCH =
      List.of(DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION, FORCE);
  static final List<OperationParameters> DELETE =
      List.of(DRY_RUN, GRACE_PERIOD, IGNORE_STORE_ERRORS, ORPHAN_DEPENDENTS, PROPAGATION_POLICY);
  static final List<OperationParameters> DELETE_COLLECTION =
      Stream.concat(
              DELETE.stream(), LIST.stream().filter(p -> p != ALLOW_WATCH_BOOKMARKS && p != WATCH))
          .sorted((a, b) -> a.key.compareTo(b.key))
          .toList();

  /** What requests to something behind the server take, by the subresource that they go to. */
  private static final Map<String, List<OperationParameters>> CONNECTION =
      Map.of(
          "attach", List.of(CONTAINER, STDERR, STDIN, STDOUT, TTY),
          "exec", List.of(COMMAND, CONTAINER, STDERR, STDIN, STDOUT, TTY),
          "log",
              List.of(
                  CONTAINER,
                  FOLLOW,
                  INSECURE_BACKEND,
                  LIMIT_BYTES,
                  PREVIOUS,
                  SINCE_SECONDS,
                  STREAM,
                  TAIL_LINES,
                  TIMESTAMPS),
          "portforward", List.of(PORTS),
          "proxy", List.of(TARGET));

  private final String key;
  private final String type;
  private final String description;

  /** How operations of version 2 refer to it. */
  private final JsonObject reference;

  OperationParameters(String key, String type, String description) {
    this.key = key;
    this.type = type;
    this.description = description;
    this.reference = JsonObject.of("$ref", "#/parameters/" + id());
  }

  static List<OperationParameters> ofConnection(String subresource) {
    return CONNECTION.getOrDefault(subresource, List.of());
  }

  /** The name under which a document of version 2 holds it: there are two of the same name. */
  private String id() {
    return name().equals("PATH") ? "path-behind" : key;
  }

  /** The parameter in full. */
  JsonObject definition(Dialect dialect) {
    boolean inPath = this == NAME || this == NAMESPACE || this == PATH;
    var parameter =
        JsonObject.builder()
            .put("description", description)
            .put("in", inPath ? "path" : "query")
            .put("name", key);
    if (inPath) {
      parameter.put("required", true);
    }
    if (dialect == Dialect.V3) {
      return parameter.put("schema", JsonObject.of("type", type, "uniqueItems", true)).build();
    }
    return parameter.put("type", type).put("uniqueItems", true).build();
  }

  /** The parameters of an operation: in version 2 the document holds each of them once. */
  static JsonArray of(Dialect dialect, List<OperationParameters> parameters) {
    return JsonArray.of(
        parameters.stream()
            .map(
                parameter ->
                    dialect == Dialect.V2 ? parameter.reference : parameter.definition(dialect))
            .toList());
  }

  static JsonObject definitions() {
    var all = JsonObject.builder();
    for (var parameter : values()) {
      all.put(parameter.id(), parameter.definition(Dialect.V2));
    }
    return all.build();
  }
}
