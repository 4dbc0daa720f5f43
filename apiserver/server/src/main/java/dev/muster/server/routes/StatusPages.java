package dev.muster.server.routes;

import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails;
import dev.muster.server.answer.PlainEncoding;
import dev.muster.server.discovery.VersionInfo;
import dev.muster.server.request.Request;
import dev.muster.wire.Encoding;
import dev.muster.wire.MediaType;
import dev.muster.wire.SupportedMediaTypes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /statusz} and {@code /flagz}: as text for people, and as objects of {@code
 * config.k8s.io} for clients that name group, version and kind in {@code Accept}. Thread-safe.
 */
public final class StatusPages {
  private static final String COMPONENT = "kube-apiserver";
  private static final String GROUP = "config.k8s.io";
  private static final String BETA = "v1beta1";
  private static final String ALPHA = "v1alpha1";
  private static final String WARNING =
      "Warning: This endpoint is not meant to be machine parseable, has no formatting"
          + " compatibility guarantees and is for debugging purposes only.";
  private static final DateTimeFormatter UNIX_DATE =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss 'UTC' yyyy", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** The user information before the host of a URL, which may contain a password. */
  private static final Pattern USER_OF_URL = Pattern.compile("://[^/@\\s,]*@");

  private final SupportedMediaTypes supportedMediaTypes;
  private final Clock clock;
  private final Instant started;
  private final SortedMap<String, String> flags = new TreeMap<>();

  /**
   * @param supportedMediaTypes the encodings of objects
   * @param started when the process began
   * @param flags the effective values, by name without dashes
   */
  public StatusPages(
      SupportedMediaTypes supportedMediaTypes,
      Clock clock,
      Instant started,
      Map<String, String> flags) {
    this.supportedMediaTypes = supportedMediaTypes;
    this.clock = clock;
    this.started = started;
    flags.forEach(
        (name, value) ->
            this.flags.put(name, USER_OF_URL.matcher(value).replaceAll("://<redacted>@")));
  }

  /** The format of a page: plain text when it has no encoding. */
  private record Form(@Nullable Encoding encoding, String version) {}

  /**
   * @param paths all paths that the server answers
   */
  public void statusz(Request request, Supplier<List<String>> paths) {
    var form = form(request, "Statusz");
    var top = new TreeSet<String>();
    paths.get().stream()
        .filter(path -> path.length() > 1)
        .forEach(path -> top.add("/" + path.split("/")[1]));
    var up = Duration.between(started, clock.instant());
    var java = "java" + Runtime.version().feature() + "." + Runtime.version().interim();
    if (form.encoding() == null) {
      answerText(
          request,
          "\n%s statusz\n%s\n\nStarted: %s\nUp: %d hr %02d min %02d sec\nGo version: %s\n"
                  .formatted(
                      COMPONENT,
                      WARNING,
                      UNIX_DATE.format(started),
                      up.toHours(),
                      up.toMinutesPart(),
                      up.toSecondsPart(),
                      java)
              + "Binary version: %s\nEmulation version: %s\nPaths: %s\n"
                  .formatted(VersionInfo.BINARY, VersionInfo.SERVED, String.join(" ", top)));
      return;
    }
    answer(
        request,
        form,
        "Statusz",
        JsonObject.builder()
            .put("startTime", Timestamps.format(started))
            .put("uptimeSeconds", up.toSeconds())
            .put("goVersion", java)
            .put("binaryVersion", VersionInfo.BINARY)
            .put("emulationVersion", VersionInfo.SERVED)
            .put("paths", JsonArray.ofStrings(top))
            .build());
  }

  public void flagz(Request request) {
    var form = form(request, "Flagz");
    if (form.encoding() == null) {
      var text = new StringBuilder("\n" + COMPONENT + " flagz\n" + WARNING + "\n\n");
      flags.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
      answerText(request, text.toString());
      return;
    }
    var values = JsonObject.builder();
    flags.forEach(values::put);
    answer(request, form, "Flagz", JsonObject.of("flags", values.build()));
  }

  private static void answerText(Request request, String text) {
    request.answer(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(Request request, Form form, String kind, JsonObject content) {
    var version = GROUP + "/" + form.version();
    if (form.version().equals(ALPHA)) {
      request.warn(version + " " + kind + " is deprecated; use " + GROUP + "/" + BETA + " " + kind);
    }
    var object =
        JsonObject.builder()
            .put("kind", kind)
            .put("apiVersion", version)
            .put("metadata", JsonObject.of("name", COMPONENT));
    for (var key : content.keys()) {
      object.put(key, Objects.requireNonNull(content.get(key)));
    }
    var encoding = Objects.requireNonNull(form.encoding());
    request.answer(
        200,
        encoding.mediaType(),
        PlainEncoding.encode(encoding, object.build(), request.isPretty()));
  }

  private Form form(Request request, String kind) {
    if (!request.exchange().method().equals("GET")) {
      throw NoRoute.methodNotAllowed();
    }
    var accept = request.header("accept");
    if (accept.isEmpty()) {
      return new Form(null, "");
    }
    for (var clause : MediaType.parseAccept(accept)) {
      if (isText(clause)) {
        return new Form(null, "");
      }
      var encoding = structured(clause, kind);
      if (encoding != null) {
        return new Form(encoding, clause.parameter("v"));
      }
    }
    var form = ";g=" + GROUP + ";v=" + BETA + ";as=" + kind;
    throw new ApiException(
        Reason.NOT_ACCEPTABLE,
        "only the following media types are accepted: text/plain, application/json%s,"
                .formatted(form)
            + " application/yaml%s".formatted(form)
            + (supportedMediaTypes.encodings().contains(Encoding.CBOR)
                ? ", application/cbor" + form
                : ""),
        StatusDetails.EMPTY);
  }

  private static boolean isText(MediaType clause) {
    return List.of("text/plain", "text/*", "*/*").contains(clause.name())
        && (clause.parameters().isEmpty()
            || (clause.parameters().size() == 1
                && clause.parameter("charset").equalsIgnoreCase("utf-8")));
  }

  private @Nullable Encoding structured(MediaType clause, String kind) {
    if (!clause.parameter("g").equals(GROUP)
        || !clause.parameter("as").equals(kind)
        || !List.of(BETA, ALPHA).contains(clause.parameter("v"))) {
      return null;
    }
    return supportedMediaTypes.encodings().stream()
        .filter(encoding -> encoding != Encoding.PROTOBUF)
        .filter(encoding -> encoding.mediaType().equals(clause.name()))
        .findFirst()
        .orElse(null);
  }
}
