package dev.muster.server.routes;

import dev.muster.http.Header;
import dev.muster.http.ServerResponse;
import dev.muster.model.User;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.server.answer.PlainEncoding;
import dev.muster.server.discovery.DiscoveryRoutes;
import dev.muster.server.health.HealthRoutes;
import dev.muster.server.request.Request;
import dev.muster.wire.Encoding;
import dev.muster.wire.JsonIndent;
import dev.muster.wire.JsonWriter;
import dev.muster.wire.NegotiatedMediaType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers all paths that are not resources: discovery, health, version, metrics and added handlers.
 */
public final class PathRoutes {
  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Header PUBLIC = new Header("cache-control", "public");
  private static final Header AN_HOUR = new Header("cache-control", "public, max-age=3600");
  private static final String AGGREGATED = "APIGroupDiscoveryList";
  private static final Map<String, String> AGGREGATED_KIND =
      Map.of("as", AGGREGATED, "g", "apidiscovery.k8s.io", "v", "v2");

  /** Paths that are also answered with a trailing slash. */
  private static final Set<String> SLASHED =
      Set.of("/.well-known/openid-configuration/", "/openid/v1/jwks/", "/version/");

  private static final String CONSISTENT = "muster-discovery-consistent";

  private final DiscoveryRoutes discovery;
  private final List<String> strictUserAgents;
  private final HealthRoutes health;
  private final BiPredicate<User, String> mayGet;
  private final Map<String, Consumer<Request>> others;

  /**
   * @param strictUserAgents prefixes of the User-Agent of clients that reject unknown fields in
   *     discovery
   * @param mayGet whether a user may get a path
   * @param others the handlers of further paths; a key that ends in {@code /} stands for all paths
   *     below it
   */
  public PathRoutes(
      DiscoveryRoutes discovery,
      List<String> strictUserAgents,
      HealthRoutes health,
      BiPredicate<User, String> mayGet,
      Map<String, Consumer<Request>> others) {
    this.discovery = discovery;
    this.strictUserAgents = List.copyOf(strictUserAgents);
    this.health = health;
    this.mayGet = mayGet;
    this.others = Map.copyOf(others);
  }

  public void answer(Request request) {
    var path = request.info().path();
    if (path.startsWith("/api")) {
      discover(request, trimmed(path));
      return;
    }
    var checked = checked(request, path);
    if (checked != null) {
      health(request, checked);
      return;
    }
    var other = other(path);
    if (other != null) {
      other.accept(request);
    } else if (path.equals("/") || path.equals("/index.html")) {
      index(request);
    } else {
      notFound(request);
    }
  }

  private @Nullable Consumer<Request> other(String path) {
    var other = others.get(path);
    if (other == null && path.startsWith("/openapi/v3/")) {
      return others.get("/openapi/v3/");
    }
    return other == null && SLASHED.contains(path)
        ? others.get(path.substring(0, path.length() - 1))
        : other;
  }

  /** A successful response about a single check carries no {@code nosniff}; all others do. */
  private static void health(Request request, HealthRoutes.Answer answer) {
    if (answer.whole() || answer.status() != 200) {
      request.answerText(answer.status(), answer.text());
    } else {
      request.answer(answer.status(), TEXT, answer.text().getBytes(StandardCharsets.UTF_8));
    }
  }

  private HealthRoutes.@Nullable Answer checked(Request request, String path) {
    return health.answer(
        path,
        request.query().has("verbose"),
        request.query().all("exclude"),
        check -> mayGet.test(request.user(), check));
  }

  private static String trimmed(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  private void discover(Request request, String path) {
    var method = request.exchange().method();
    var accept = request.header("accept");
    var aggregation =
        accept.contains(AGGREGATED) ? NegotiatedMediaType.ofKind(accept, AGGREGATED_KIND) : null;
    var document = aggregation == null ? null : discovery.aggregated(path, isAlone(accept));
    boolean aggregated = document != null;
    if (document == null) {
      document = isStrict(request) ? discovery.strict(path) : discovery.plain(path);
    }
    if (document == null) {
      unknown(request, path);
      return;
    }
    // kube-apiserver's router knows these paths. It answers the other paths whatever the method is.
    boolean routed =
        path.equals("/api") || path.split("/").length == (path.startsWith("/apis") ? 4 : 3);
    if (routed && !method.equals("GET")) {
      throw NoRoute.methodNotAllowed();
    }
    var encoding =
        aggregated && aggregation != null
            ? aggregation
            : NegotiatedMediaType.ofDocument(accept, routed);
    if (document.etag().equals(request.exchange().header("if-none-match"))) {
      request.answer(
          new ServerResponse(304, unchanged(request, document, aggregated), List.of(), false));
      return;
    }
    var type =
        aggregated
            ? encoding.mediaType() + ";g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
            : encoding.mediaType();
    var audit = request.audit();
    if (audit != null) {
      audit.answer(200, document.object());
    }
    var headers = withTag(request, type, document, aggregated);
    if (encoding == Encoding.JSON && !request.isPretty()) {
      request.answer(new ServerResponse(200, headers, List.of(document.json()), true));
      return;
    }
    var found = document;
    request.runOnCpuPool(
        () -> {
          var body = PlainEncoding.encode(encoding, found.object(), request.isPretty());
          request.answer(new ServerResponse(200, headers, List.of(body), true));
        });
  }

  /** Whether the client wants the discovery of this server only, without its peers. */
  private static boolean isAlone(String accept) {
    for (var range : accept.split(",")) {
      if (range.contains(AGGREGATED)) {
        return range.replace(" ", "").contains(";profile=nopeer");
      }
    }
    return false;
  }

  private boolean isStrict(Request request) {
    var agent = request.header("user-agent");
    return strictUserAgents.stream().anyMatch(agent::startsWith);
  }

  /** A 304 names no content type: a client's cache would apply it to the body that it has kept. */
  private static List<Header> unchanged(
      Request request, DiscoveryRoutes.Document document, boolean aggregated) {
    var headers = withTag(request, "", document, aggregated);
    headers.removeIf(header -> header.name().equals("content-type"));
    return headers;
  }

  private static List<Header> withTag(
      Request request, String contentType, DiscoveryRoutes.Document document, boolean aggregated) {
    var headers = new ArrayList<>(request.headers(contentType));
    if (aggregated) {
      headers.replaceAll(header -> header.name().equals("cache-control") ? PUBLIC : header);
    }
    headers.add(new Header("etag", document.etag()));
    headers.add(new Header("vary", "Accept"));
    document
        .consistent()
        .ifPresent(agreed -> headers.add(new Header(CONSISTENT, agreed.toString())));
    return headers;
  }

  /**
   * An unknown version of a known group is answered with a Status, an unknown group with plain
   * text.
   */
  private void unknown(Request request, String path) {
    var parts = path.split("/");
    boolean known = parts.length > 2 && (parts[1].equals("api") || discovery.hasGroup(parts[2]));
    if (known) {
      throw NoRoute.notFound();
    }
    notFound(request);
  }

  /** Answers a request for a resource of a group or version that is not served. */
  public void unknownVersion(Request request) {
    if (discovery.hasGroup(request.info().group())) {
      throw NoRoute.notFound();
    }
    notFound(request);
  }

  public void notFound(Request request) {
    request.answerText(404, "404 page not found\n");
  }

  /** Answers with a document that exists as JSON only and is always indented. */
  public static void indented(Request request, JsonObject object) {
    checkRouted(request, JSON);
    request.answer(200, JSON, JsonIndent.of(JsonWriter.bytes(object)));
  }

  private static void checkRouted(Request request, String type) {
    if (!request.exchange().method().equals("GET")) {
      throw NoRoute.methodNotAllowed();
    }
    NegotiatedMediaType.requireRouted(request.header("accept"), type);
  }

  /**
   * Answers with a document that has one media type only and that clients may cache for an hour.
   */
  public static void published(Request request, String type, JsonObject object) {
    checkRouted(request, type);
    var headers = request.headers(type);
    headers.replaceAll(header -> header.name().equals("cache-control") ? AN_HOUR : header);
    request.answer(new ServerResponse(200, headers, List.of(JsonWriter.bytes(object)), true));
  }

  /** All paths that the root path lists. */
  public List<String> index() {
    var paths = new TreeSet<>(others.keySet());
    paths.removeIf(path -> path.startsWith("/debug/"));
    paths.addAll(discovery.paths());
    paths.addAll(health.paths());
    return List.copyOf(paths);
  }

  /** Answers the root path with all paths. */
  private void index(Request request) {
    var paths = index();
    request.answer(
        200,
        JSON,
        JsonIndent.of(JsonWriter.bytes(JsonObject.of("paths", JsonArray.ofStrings(paths)))));
  }
}
