package dev.muster.server.routes;

import dev.muster.http.Header;
import dev.muster.http.ServerResponse;
import dev.muster.model.GroupVersion;
import dev.muster.openapi.Fragment;
import dev.muster.openapi.OpenApi;
import dev.muster.openapi.RemoteSpecs;
import dev.muster.schema.ResourceType;
import dev.muster.server.discovery.VersionInfo;
import dev.muster.server.request.Request;
import dev.muster.types.Derivation;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import dev.muster.types.VersionTypes;
import dev.muster.wire.MediaType;
import java.time.Clock;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Serves the OpenAPI documents. The CPU pool renders a document when a client first requests it. On
 * servers with custom resources, the part that all version 2 documents share is rendered in
 * advance.
 */
public final class OpenApiRoutes {
  private static final String V3 = "/openapi/v3/";
  private static final String FOR_EVER = "public, immutable";
  private static final DateTimeFormatter EXPIRES =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss zzz", Locale.ROOT);
  private static final String JSON = "application/json";
  private static final List<String> V2_TYPES =
      List.of(
          JSON,
          "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
          "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");

  private static final Derivation<VersionTypes, Map<String, OpenApi.Rendered>> OF_VERSION =
      new Derivation<>(types -> new ConcurrentHashMap<>());
  private static final Derivation<ServedType, Map<String, Fragment>> OF_TYPE =
      new Derivation<>(type -> new ConcurrentHashMap<>());

  /** Cached with the core version, which every server has and no definition can change. */
  private static final Derivation<VersionTypes, Map<String, Fragment>> OF_BUILT_IN =
      new Derivation<>(types -> new ConcurrentHashMap<>());

  private static final Derivation<Types, OpenApi> DOCUMENTS =
      new Derivation<>(OpenApiRoutes::documents);
  private static final GroupVersion CORE = GroupVersion.parse("v1");

  private final Supplier<Types> types;
  private final Supplier<RemoteSpecs> remote;
  private final Clock clock;
  private volatile boolean prepared;

  /**
   * @param types the current types
   * @param remote the documents of other servers; the same instance while they are unchanged
   */
  public OpenApiRoutes(Supplier<Types> types, Supplier<RemoteSpecs> remote, Clock clock) {
    this.types = types;
    this.remote = remote;
    this.clock = clock.withZone(ZoneId.of("UTC"));
  }

  /** Cached parts for one type or version of a group stay valid while other types come and go. */
  private static OpenApi documents(Types now) {
    var ofAll = new ConcurrentHashMap<String, OpenApi.Rendered>();
    var shelves =
        new OpenApi.Shelves() {
          @Override
          public Map<String, OpenApi.Rendered> of(GroupVersion groupVersion) {
            return OF_VERSION.of(Objects.requireNonNull(now.version(groupVersion)));
          }

          @Override
          public Map<String, OpenApi.Rendered> ofAll() {
            return ofAll;
          }

          @Override
          public Map<String, Fragment> of(ResourceType custom) {
            var version = custom.groupVersion();
            return OF_TYPE.of(
                Objects.requireNonNull(
                    now.find(version.group(), version.version(), custom.plural())));
          }

          @Override
          public Map<String, Fragment> ofBuiltIn() {
            return OF_BUILT_IN.of(Objects.requireNonNull(now.version(CORE)));
          }
        };
    return new OpenApi(
        now.versions().stream()
            .flatMap(version -> version.types().stream())
            .map(ServedType::resource)
            .toList(),
        VersionInfo.SERVED,
        shelves);
  }

  /**
   * Renders the built-in types in advance if there are custom resources. Without it, the first
   * document that describes hundreds of them would take too long.
   *
   * @param elsewhere runs the rendering
   */
  public void prepare(Executor elsewhere) {
    if (!prepared && !types.get().definedVersions().isEmpty()) {
      prepared = true;
      elsewhere.execute(() -> DOCUMENTS.of(types.get()).prepare());
    }
  }

  public void v2(Request request) {
    later(
        request,
        () -> {
          var documents = DOCUMENTS.of(types.get());
          switch (chosen(request.header("accept"), V2_TYPES)) {
            case "" -> notAcceptable(request);
            case JSON -> send(request, JSON, documents.v2(remote.get()), false);
            default ->
                send(request, OpenApi.V2_PROTOBUF, documents.v2Protobuf(remote.get()), false);
          }
        });
  }

  public void index(Request request) {
    later(request, () -> send(request, JSON, DOCUMENTS.of(types.get()).index(remote.get()), false));
  }

  public void v3(Request request) {
    later(
        request,
        () -> {
          var path = request.info().path().substring(V3.length());
          var document = DOCUMENTS.of(types.get()).v3(path);
          if (document == null) {
            empty(request, 404, List.of());
            return;
          }
          var hash = request.query().first("hash");
          if (!hash.isEmpty() && !hash.equals(document.hash())) {
            redirect(request, path, document.hash());
          } else if (chosen(request.header("accept"), List.of(JSON)).isEmpty()) {
            notAcceptable(request);
          } else {
            send(request, JSON, document, !hash.isEmpty());
          }
        });
  }

  /** The first of the types that the client prefers most, or "". */
  private static String chosen(String accept, List<String> types) {
    for (var clause : MediaType.parseAccept(accept.isEmpty() ? "*/*" : accept)) {
      for (var type : types) {
        boolean any = clause.name().equals("*/*") || clause.name().equals("application/*");
        if (any || clause.name().equals(type)) {
          return type;
        }
      }
    }
    return "";
  }

  private static void notAcceptable(Request request) {
    empty(request, 406, List.of(new Header("vary", "Accept")));
  }

  private static void empty(Request request, int status, List<Header> more) {
    var headers = new ArrayList<>(request.headers(""));
    headers.removeIf(header -> header.name().equals("content-type"));
    headers.addAll(more);
    request.answer(new ServerResponse(status, headers, List.of(), false));
  }

  /** Whether the client already has the document of that hash. */
  private static boolean isKnown(String ifNoneMatch, String hash) {
    for (var tag : ifNoneMatch.split(",", -1)) {
      var text = tag.strip();
      if (text.equals("*") || text.equals(hash) || text.equals("W/" + hash)) {
        return true;
      }
    }
    return false;
  }

  private static void redirect(Request request, String path, String hash) {
    var headers = new ArrayList<>(request.headers(JSON));
    headers.add(new Header("location", V3 + path + "?hash=" + hash));
    headers.add(new Header("vary", "Accept"));
    request.answer(new ServerResponse(301, headers, List.of(), false));
  }

  private void send(Request request, String contentType, OpenApi.Rendered document, boolean named) {
    var headers = new ArrayList<>(request.headers(contentType));
    headers.removeIf(header -> header.name().equals("cache-control"));
    headers.add(new Header("cache-control", named ? FOR_EVER : "no-cache, private"));
    if (named) {
      headers.add(new Header("expires", EXPIRES.format(ZonedDateTime.now(clock).plusYears(1))));
    }
    headers.add(new Header("etag", document.etag()));
    headers.add(new Header("vary", "Accept"));
    boolean known = isKnown(request.header("if-none-match"), document.etag());
    if (known) {
      headers.removeIf(header -> header.name().equals("content-type"));
    }
    request.answer(
        new ServerResponse(
            known ? 304 : 200, headers, known ? List.of() : document.pieces(), true));
  }

  private static void later(Request request, Runnable work) {
    request.runOnCpuPool(work);
  }
}
