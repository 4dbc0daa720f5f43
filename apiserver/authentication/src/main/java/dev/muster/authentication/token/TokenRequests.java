package dev.muster.authentication.token;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.GroupVersion;
import dev.muster.model.Timestamps;
import dev.muster.model.User;
import dev.muster.model.Uuid;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.types.ClusterView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Issues tokens for the subresource {@code serviceaccounts/token}. Thread-safe.
 *
 * @param longest the longest lifetime; longer requests are shortened; zero for no limit
 * @param extend whether a pod's token with the default hour is valid for a year. Clients that never
 *     read their token again then keep working, and the audit log records a warning.
 */
public record TokenRequests(
    ServiceAccountTokens tokens,
    Duration longest,
    boolean extend,
    InstantSource clock,
    RandomGenerator random) {

  private static final GroupKind KIND = new GroupKind("authentication.k8s.io", "TokenRequest");
  private static final long SHORTEST_SECONDS = 600;
  private static final long LONGEST_SECONDS = 1L << 32;
  private static final long USUAL_SECONDS = 3600;
  private static final long EXTENDABLE_SECONDS = 3607;
  private static final Duration EXTENDED = Duration.ofDays(365);

  /** The object that a token is bound to in addition to its service account. */
  private record Bound(String kind, JsonObject object, @Nullable JsonObject node) {}

  /** Fills the defaults of a request. The caller owns the returned object. */
  public static JsonObject defaults(JsonObject request) {
    var spec = request.object("spec");
    return spec.get("expirationSeconds") instanceof JsonInteger
        ? request
        : request.with("spec", spec.with("expirationSeconds", USUAL_SECONDS));
  }

  /**
   * Answers a TokenRequest.
   *
   * @param request as sent, without unknown fields
   * @param view a snapshot at least as new as the request
   */
  public JsonObject create(
      String namespace,
      String name,
      JsonObject request,
      ClusterView view,
      Consumer<String> warnings) {
    return create(namespace, name, request, view, warnings, AuditAnnotations.IGNORED);
  }

  /**
   * Answers a TokenRequest and adds audit annotations that identify the token.
   *
   * @param annotations receive no token
   */
  public JsonObject create(
      String namespace,
      String name,
      JsonObject request,
      ClusterView view,
      Consumer<String> warnings,
      AuditAnnotations annotations) {
    var metadata = request.object("metadata");
    var given = metadata.string("namespace");
    if (!given.isEmpty() && !given.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    checkName(metadata.string("name"), name);
    var account = view.get("/serviceaccounts", namespace, name);
    if (account == null) {
      throw ApiException.notFound(new GroupResource("", "serviceaccounts"), name);
    }
    var uid = account.object("metadata").string("uid");
    var askedUid = metadata.string("uid");
    if (!askedUid.isEmpty() && !askedUid.equals(uid)) {
      var mismatch =
          "the UID in the token request ("
              + askedUid
              + ") does not match the UID of the service account ("
              + uid
              + ")";
      annotations.add("authentication.k8s.io/token-request-uid-mismatch", mismatch);
      throw ApiException.conflict(new GroupResource(KIND.group(), KIND.kind()), name, mismatch);
    }
    var spec = request.object("spec");
    var audiences = spec.array("audiences").strings();
    if (audiences.isEmpty()) {
      audiences = tokens.audiences();
    }
    long seconds = spec.integer("expirationSeconds", USUAL_SECONDS);
    checkExpiration(seconds);
    var bound =
        spec.get("boundObjectRef") instanceof JsonObject reference
            ? bind(reference, namespace, name, view)
            : null;
    if (longest.isPositive() && seconds > longest.toSeconds()) {
      warnings.accept(
          "requested expiration of %d seconds shortened to %d seconds"
              .formatted(seconds, longest.toSeconds()));
      seconds = longest.toSeconds();
    }
    var now = clock.instant();
    var id = Uuid.random(random);
    annotations.add("authentication.kubernetes.io/issued-credential-id", "JTI=" + id);
    var token = sign(account, bound, audiences, seconds, now, id);
    return JsonObject.builder()
        .put("kind", "TokenRequest")
        .put("apiVersion", "authentication.k8s.io/v1")
        .put(
            "metadata",
            metadata
                .with("name", name)
                .with("namespace", namespace)
                .with("uid", uid)
                .with("creationTimestamp", Timestamps.format(now)))
        .put(
            "spec",
            JsonObject.of(
                "audiences",
                JsonArray.ofStrings(audiences),
                "expirationSeconds",
                seconds,
                "boundObjectRef",
                spec.get("boundObjectRef") instanceof JsonObject object ? object : JsonNull.NULL))
        .put(
            "status",
            JsonObject.of(
                "token", token, "expirationTimestamp", Timestamps.format(now.plusSeconds(seconds))))
        .build();
  }

  private static void checkName(String given, String account) {
    if (!given.isEmpty() && !given.equals(account)) {
      var error =
          FieldError.invalid(
              FieldPath.of("metadata", "name"),
              given,
              "must match the service account name if specified");
      throw ApiException.invalid(KIND, account, List.of(error));
    }
  }

  private static void checkExpiration(long seconds) {
    var path = FieldPath.of("spec", "expirationSeconds");
    var errors = new ArrayList<FieldError>();
    if (seconds < SHORTEST_SECONDS) {
      errors.add(
          FieldError.invalid(path, seconds, "may not specify a duration less than 10 minutes"));
    }
    if (seconds > LONGEST_SECONDS) {
      errors.add(
          FieldError.invalid(path, seconds, "may not specify a duration larger than 2^32 seconds"));
    }
    if (!errors.isEmpty()) {
      throw ApiException.invalid(KIND, "", errors);
    }
  }

  private static Bound bind(
      JsonObject reference, String namespace, String account, ClusterView view) {
    var group = version(reference.string("apiVersion"));
    var kind = reference.string("kind");
    var name = reference.string("name");
    if (!group.group().isEmpty() || !Set.of("Pod", "Node", "Secret").contains(kind)) {
      throw ApiException.badRequest(
          "cannot bind token to object of type "
              + group.group()
              + "/"
              + group.version()
              + ", Kind="
              + kind);
    }
    var object =
        switch (kind) {
          case "Pod" -> find(view, "/pods", "pods", namespace, name);
          case "Node" -> find(view, "/minions", "nodes", "", name);
          default -> find(view, "/secrets", "secrets", namespace, name);
        };
    JsonObject node = null;
    if (kind.equals("Pod")) {
      if (!object.object("spec").string("serviceAccountName").equals(account)) {
        throw ApiException.badRequest(
            "cannot bind token for serviceaccount "
                + Json.of(account)
                + " to pod running with different serviceaccount name.");
      }
      node = nodeOf(object, view);
    }
    var uid = reference.string("uid");
    if (!uid.isEmpty() && !uid.equals(object.object("metadata").string("uid"))) {
      throw ApiException.conflict(
          new GroupResource("", kind),
          name,
          "the UID in the bound object reference ("
              + uid
              + ") does not match the UID in record. The object might have been deleted and then"
              + " recreated");
    }
    return new Bound(kind, object, node);
  }

  /** A version with more than one slash counts as empty. */
  private static GroupVersion version(String text) {
    return text.indexOf('/') == text.lastIndexOf('/')
        ? GroupVersion.parse(text)
        : new GroupVersion("", "");
  }

  /** The node of a pod; without its UID when the node does not exist. */
  private static @Nullable JsonObject nodeOf(JsonObject pod, ClusterView view) {
    var name = pod.object("spec").string("nodeName");
    if (name.isEmpty()) {
      return null;
    }
    var node = view.get("/minions", "", name);
    return node == null ? JsonObject.of("metadata", JsonObject.of("name", name)) : node;
  }

  private static JsonObject find(
      ClusterView view, String collection, String plural, String namespace, String name) {
    if (name.isEmpty()) {
      throw ApiException.badRequest("Name parameter required.");
    }
    var problems = Names.pathSegment(name);
    if (!problems.isEmpty()) {
      throw ApiException.badRequest(
          "Name parameter invalid: " + GoText.quote(name) + ": " + String.join(";", problems));
    }
    var object = view.get(collection, namespace, name);
    if (object == null) {
      throw ApiException.notFound(new GroupResource("", plural), name);
    }
    return object;
  }

  private String sign(
      JsonObject account,
      @Nullable Bound bound,
      List<String> audiences,
      long seconds,
      Instant now,
      String id) {
    var metadata = account.object("metadata");
    var kubernetes =
        JsonObject.builder()
            .put("namespace", metadata.string("namespace"))
            .put("serviceaccount", reference(account));
    var end = now.plusSeconds(seconds);
    if (bound != null) {
      switch (bound.kind()) {
        case "Pod" -> {
          kubernetes.put("pod", reference(bound.object()));
          if (bound.node() != null) {
            kubernetes.put("node", reference(bound.node()));
          }
          if (extend
              && seconds == EXTENDABLE_SECONDS
              && tokens.audiences().containsAll(audiences)) {
            kubernetes.put("warnafter", end.getEpochSecond());
            end = now.plus(EXTENDED);
          }
        }
        case "Secret" -> kubernetes.put("secret", reference(bound.object()));
        default -> kubernetes.put("node", reference(bound.object()));
      }
    }
    return tokens
        .keys()
        .sign(
            JsonObject.of(
                "aud", JsonArray.ofStrings(audiences),
                "exp", end.getEpochSecond(),
                "iat", now.getEpochSecond(),
                "iss", tokens.issuer(),
                "jti", id,
                "kubernetes.io", kubernetes.build(),
                "nbf", now.getEpochSecond(),
                "sub",
                    User.SERVICE_ACCOUNT_PREFIX
                        + metadata.string("namespace")
                        + ":"
                        + metadata.string("name")));
  }

  private static JsonObject reference(JsonObject object) {
    var metadata = object.object("metadata");
    return JsonObject.builder()
        .put("name", metadata.string("name"))
        .putIf("uid", metadata.string("uid"))
        .build();
  }
}
