package dev.muster.authentication.jwt;

import dev.muster.authentication.RefusedCredentials;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Jwt;
import dev.muster.authentication.jwt.AuthenticationConfiguration.Mapping;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelNull;
import dev.muster.model.User;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maps the claims of a verified token to a user. Immutable.
 *
 * @param username the expression, or null when a claim holds the name; {@code groups} and {@code
 *     uid} likewise
 */
record ClaimMapper(
    Jwt jwt,
    @Nullable ClaimExpression username,
    @Nullable ClaimExpression groups,
    @Nullable ClaimExpression uid,
    List<ClaimExpression> extra,
    List<ClaimExpression> claimRules,
    List<ClaimExpression> userRules) {
  private static final String CREDENTIAL = "authentication.kubernetes.io/credential-id";
  private static final String NO_TEXTS = "expression must return a string or a list of strings";

  ClaimMapper {
    extra = List.copyOf(extra);
    claimRules = List.copyOf(claimRules);
    userRules = List.copyOf(userRules);
  }

  /**
   * The user.
   *
   * @throws RefusedCredentials when the claims name no user, or one that the rules reject
   */
  User user(JsonObject claims) {
    var values = ClaimValues.of(claims);
    var user =
        new User(
            username(claims, values),
            uid(claims, values),
            groups(claims, values),
            extra(claims, values));
    checkRequired(claims);
    check(claimRules, values, "claim validation expression");
    if (!userRules.isEmpty()) {
      check(userRules, ClaimValues.of(user), "user info validation rule");
    }
    return user;
  }

  private String username(JsonObject claims, Object values) {
    if (username != null) {
      var name = text(username, values, "username");
      if (name.isEmpty()) {
        throw new RefusedCredentials("oidc: empty username via CEL expression is not allowed");
      }
      return name;
    }
    var mapping = jwt.claimMappings().username();
    var name = claim(claims, mapping.claim(), "oidc: parse username claims ");
    if (mapping.claim().equals("email") && claims.has("email_verified")) {
      if (!(claims.get("email_verified") instanceof JsonBool verified)) {
        throw new RefusedCredentials(
            "oidc: parse 'email_verified' claim: json: cannot unmarshal into Go value of type"
                + " bool");
      }
      if (!verified.value()) {
        throw new RefusedCredentials("oidc: email not verified");
      }
    }
    return prefix(mapping) + name;
  }

  private static String prefix(Mapping mapping) {
    var prefix = mapping.prefix();
    return prefix == null ? "" : prefix;
  }

  /** The text of a claim; null counts as empty, as in Go. */
  private static String claim(JsonObject claims, String name, String problem) {
    return switch (claims.get(name)) {
      case null -> throw new RefusedCredentials(problem + "\"" + name + "\": claim not present");
      case JsonString text -> text.value();
      case JsonNull ignored -> "";
      default ->
          throw new RefusedCredentials(problem + "\"" + name + "\": the claim is not a string");
    };
  }

  private static String text(ClaimExpression expression, Object values, String what) {
    if (expression.evaluate(values, what + " claim expression") instanceof String text) {
      return text;
    }
    throw new RefusedCredentials(
        "oidc: error evaluating "
            + what
            + " claim expression: "
            + what
            + " claim expression must return a string");
  }

  private List<String> groups(JsonObject claims, Object values) {
    var mapping = jwt.claimMappings().groups();
    if (!mapping.claim().isEmpty() && claims.has(mapping.claim())) {
      var prefix = prefix(mapping);
      return groupTexts(claims, mapping.claim()).stream().map(group -> prefix + group).toList();
    }
    return groups == null
        ? List.of()
        : texts(groups.evaluate(values, "group claim expression"), "group claim expression");
  }

  /** A single group may be a text instead of a list. */
  private static List<String> groupTexts(JsonObject claims, String claim) {
    return switch (claims.get(claim)) {
      case JsonString text -> List.of(text.value());
      case JsonNull ignored -> List.of();
      case JsonArray array when array.strings().size() == array.size() -> array.strings();
      case null, default ->
          throw new RefusedCredentials(
              "oidc: parse groups claim \""
                  + claim
                  + "\": the claim is neither a string nor a list of strings");
    };
  }

  private static List<String> texts(Object value, String what) {
    return switch (value) {
      case String text -> text.isEmpty() ? List.of() : List.of(text);
      case CelNull ignored -> List.of();
      case CelList list -> {
        var texts = new ArrayList<String>();
        for (int i = 0; i < list.size(); i++) {
          if (!(list.get(i) instanceof String text)) {
            throw new RefusedCredentials("oidc: error evaluating " + what + ": " + NO_TEXTS);
          }
          if (!text.isEmpty()) {
            texts.add(text);
          }
        }
        yield texts;
      }
      default -> throw new RefusedCredentials("oidc: error evaluating " + what + ": " + NO_TEXTS);
    };
  }

  private String uid(JsonObject claims, Object values) {
    var claim = jwt.claimMappings().uid().claim();
    if (!claim.isEmpty()) {
      return claim(claims, claim, "oidc: parse uid claim ");
    }
    return uid == null ? "" : text(uid, values, "uid");
  }

  private Map<String, List<String>> extra(JsonObject claims, Object values) {
    var made = new LinkedHashMap<String, List<String>>();
    if (!claims.string("jti").isEmpty()) {
      made.put(CREDENTIAL, List.of("JTI=" + claims.string("jti")));
    }
    for (var expression : extra) {
      var what = "extra claim expression";
      var texts = texts(expression.evaluate(values, what), what + ": " + expression.text());
      if (!texts.isEmpty()) {
        made.put(expression.label(), texts);
      }
    }
    return made;
  }

  private void checkRequired(JsonObject claims) {
    for (var rule : jwt.claimValidationRules()) {
      if (rule.claim().isEmpty()) {
        continue;
      }
      if (!claims.has(rule.claim())) {
        throw new RefusedCredentials(
            "oidc: required claim " + rule.claim() + " not present in ID token");
      }
      var value = claim(claims, rule.claim(), "oidc: parse claim ");
      if (!value.equals(rule.requiredValue())) {
        throw new RefusedCredentials(
            "oidc: required claim %s value does not match. Got = %s, want = %s"
                .formatted(rule.claim(), value, rule.requiredValue()));
      }
    }
  }

  private static void check(List<ClaimExpression> rules, Object input, String what) {
    for (var rule : rules) {
      if (!Boolean.TRUE.equals(rule.evaluate(input, what))) {
        throw new RefusedCredentials(
            "oidc: error evaluating "
                + what
                + ": validation expression '"
                + rule.text()
                + "' failed: "
                + rule.label());
      }
    }
  }
}
