package dev.muster.authorization.review;

import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.RuleResolver;
import dev.muster.model.GroupKind;
import dev.muster.model.Timestamps;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.registry.write.UnstoredHandler.Made;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Answers access reviews and token reviews, which are not stored. Thread-safe.
 *
 * @param audiences this server's audiences, for a TokenReview that names none
 */
public record Reviews(
    RequestAuthenticator authenticator,
    Authorizer authorizer,
    RuleResolver rules,
    List<String> audiences,
    InstantSource clock) {

  /** Upstream omits the kind from these errors, and clients rely on the text. */
  private static final GroupKind NAMELESS = new GroupKind("authorization.k8s.io", "");

  /** The largest number of texts in a listed set of rules; a longer one is marked incomplete. */
  private static final int MOST_TEXTS = 100_000;

  private static final List<String> SERVER_FIELDS =
      List.of(
          "namespace",
          "selfLink",
          "uid",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds");

  /**
   * Answers the review with that plural name.
   *
   * @param namespace of the path; "" except for a LocalSubjectAccessReview
   * @param sent with defaults, in version v1
   */
  public Made create(String plural, String namespace, JsonObject sent, User user) {
    var review = received(sent, namespace);
    return switch (plural) {
      case "tokenreviews" -> token(review);
      case "selfsubjectreviews" -> new Made(self(review, user), true);
      case "subjectaccessreviews" -> access(review);
      case "selfsubjectaccessreviews" -> selfAccess(review, user);
      case "localsubjectaccessreviews" -> localAccess(review);
      case "selfsubjectrulesreviews" -> new Made(selfRules(review, user), false);
      default -> throw new IllegalArgumentException("no review: " + plural);
    };
  }

  /** The review without server-set fields, in the namespace of its path. */
  private static JsonObject received(JsonObject review, String namespace) {
    var metadata = review.object("metadata");
    var given = metadata.string("namespace");
    if (!namespace.isEmpty() && !given.isEmpty() && !given.equals(namespace)) {
      throw ApiException.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    for (var field : SERVER_FIELDS) {
      metadata = metadata.without(field);
    }
    return review.with(
        "metadata", namespace.isEmpty() ? metadata : metadata.with("namespace", namespace));
  }

  /** Fields about the token that are unknown stay as sent. */
  private Made token(JsonObject review) {
    var spec = review.object("spec");
    var token = spec.string("token");
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    var asked = spec.array("audiences").strings();
    var status = review.object("status");
    try {
      var found = authenticator.review(token, asked.isEmpty() ? audiences : asked);
      if (found == null) {
        var user = status.object("user");
        return new Made(answer(review, status.without("authenticated").with("user", user)), true);
      }
      status = status.with("authenticated", true).with("user", info(found.user()));
      return new Made(
          answer(
              review,
              found.audiences().isEmpty()
                  ? status.without("audiences")
                  : status.with("audiences", JsonArray.ofStrings(found.audiences()))),
          true);
    } catch (RefusedCredentials e) {
      var user = status.object("user");
      return new Made(
          answer(review, status.without("authenticated").with("user", user).with("error", e.why())),
          !e.restsOnCluster());
    }
  }

  private JsonObject self(JsonObject review, User user) {
    return JsonObject.of(
        "kind",
        review.string("kind"),
        "apiVersion",
        review.string("apiVersion"),
        "metadata",
        JsonObject.of("creationTimestamp", Timestamps.format(clock.instant())),
        "status",
        JsonObject.of("userInfo", info(user)));
  }

  /** A user in the form of {@code UserInfo}. */
  public static JsonObject info(User user) {
    var info = JsonObject.builder().putIf("username", user.name()).putIf("uid", user.uid());
    if (!user.groups().isEmpty()) {
      info.put("groups", JsonArray.ofStrings(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      var extra = JsonObject.builder();
      new TreeMap<>(user.extra())
          .forEach((key, values) -> extra.put(key, JsonArray.ofStrings(values)));
      info.put("extra", extra.build());
    }
    return info.build();
  }

  private Made access(JsonObject review) {
    var errors = new ArrayList<FieldError>();
    ReviewRules.spec(review.object("spec"), true, errors);
    checkMetadata(review.object("metadata"), "must be empty", errors);
    refuse(errors);
    return decide(review, subject(review.object("spec")));
  }

  private Made selfAccess(JsonObject review, User user) {
    var errors = new ArrayList<FieldError>();
    ReviewRules.spec(review.object("spec"), false, errors);
    checkMetadata(review.object("metadata"), "must be empty", errors);
    refuse(errors);
    return decide(review, user);
  }

  private Made localAccess(JsonObject review) {
    var spec = review.object("spec");
    var metadata = review.object("metadata");
    var errors = new ArrayList<FieldError>();
    ReviewRules.spec(spec, true, errors);
    checkMetadata(metadata.without("namespace"), "must be empty except for namespace", errors);
    ReviewRules.local(spec, metadata.string("namespace"), errors);
    refuse(errors);
    return decide(review, subject(spec));
  }

  private static void checkMetadata(JsonObject metadata, String rule, List<FieldError> errors) {
    if (!metadata.without("managedFields").isEmpty()) {
      errors.add(FieldError.invalid(FieldPath.of("metadata"), metadata, rule));
    }
  }

  private static void refuse(List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw ApiException.invalid(NAMELESS, "", errors);
    }
  }

  private static User subject(JsonObject spec) {
    var extra = new TreeMap<String, List<String>>();
    var given = spec.object("extra");
    for (var key : given.keys()) {
      extra.put(key, given.array(key).strings());
    }
    return new User(spec.string("user"), spec.string("uid"), spec.array("groups").strings(), extra);
  }

  private Made decide(JsonObject review, User user) {
    var spec = review.object("spec");
    var decision = authorizer.authorize(ReviewRules.attributes(spec, user));
    var errors = new ArrayList<String>();
    if (!decision.error().isEmpty()) {
      errors.add(decision.error());
    }
    errors.addAll(SelectorCheck.complaints(spec.object("resourceAttributes")));
    var status = JsonObject.builder().put("allowed", decision.allowed());
    if (decision.outcome() == Decision.Outcome.DENY) {
      status.put("denied", true);
    }
    status.putIf("reason", decision.reason());
    status.putIf("evaluationError", String.join("; ", errors));
    return new Made(answer(review, status.build()), false);
  }

  private static JsonObject answer(JsonObject review, Json status) {
    return JsonObject.of(
        "kind",
        review.string("kind"),
        "apiVersion",
        review.string("apiVersion"),
        "metadata",
        review.object("metadata"),
        "spec",
        review.object("spec"),
        "status",
        status);
  }

  private JsonObject selfRules(JsonObject review, User user) {
    var namespace = review.object("spec").string("namespace");
    if (namespace.isEmpty()) {
      throw ApiException.badRequest("no namespace on request");
    }
    var found = rules.rulesFor(user, namespace);
    var resources = new ArrayList<Json>();
    var paths = new ArrayList<Json>();
    long texts = 0;
    boolean cut = false;
    for (var rule : found.rules()) {
      texts += rule.texts();
      if (texts > MOST_TEXTS) {
        cut = true;
        break;
      }
      var json = rule.toJson();
      if (!rule.resources().isEmpty()) {
        resources.add(json.without("nonResourceURLs"));
      }
      if (!rule.nonResourceUrls().isEmpty()) {
        paths.add(json.without("apiGroups").without("resources").without("resourceNames"));
      }
    }
    var status =
        JsonObject.builder()
            .put("resourceRules", JsonArray.of(resources))
            .put("nonResourceRules", JsonArray.of(paths))
            .put("incomplete", found.incomplete() || cut)
            .putIf("evaluationError", cut ? "there are too many rules to list" : found.error());
    return JsonObject.of(
        "kind",
        review.string("kind"),
        "apiVersion",
        review.string("apiVersion"),
        "metadata",
        JsonObject.EMPTY,
        "spec",
        JsonObject.EMPTY,
        "status",
        status.build());
  }

  /** All review resources with their API groups. */
  public static Map<String, String> groups() {
    return Map.of(
        "tokenreviews", "authentication.k8s.io",
        "selfsubjectreviews", "authentication.k8s.io",
        "subjectaccessreviews", "authorization.k8s.io",
        "selfsubjectaccessreviews", "authorization.k8s.io",
        "localsubjectaccessreviews", "authorization.k8s.io",
        "selfsubjectrulesreviews", "authorization.k8s.io");
  }
}
