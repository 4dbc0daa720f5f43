package dev.muster.authorization.modes;

import dev.muster.model.MalformedValueException;
import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import dev.muster.model.validation.Names;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validates a well-formed authorization configuration. */
final class AuthorizationConfigurationRules {
  private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration AUTHORIZED = Duration.ofMinutes(5);
  private static final Duration UNAUTHORIZED = Duration.ofSeconds(30);
  private static final int MOST_CONDITIONS = 64;

  private final List<FieldError> errors = new ArrayList<>();

  private AuthorizationConfigurationRules() {}

  static List<FieldError> check(JsonObject configuration) {
    var rules = new AuthorizationConfigurationRules();
    rules.authorizers(configuration.array("authorizers"));
    return rules.errors;
  }

  private void authorizers(JsonArray authorizers) {
    var path = FieldPath.of("authorizers");
    if (authorizers.isEmpty()) {
      errors.add(FieldError.required(path, "at least one authorization mode must be defined"));
    }
    var types = new HashSet<String>();
    var names = new HashSet<String>();
    for (int i = 0; i < authorizers.size(); i++) {
      var authorizer = authorizers.object(i);
      var at = path.index(i);
      var type = authorizer.string("type");
      if (type.isEmpty()) {
        errors.add(FieldError.required(at.child("type"), ""));
      } else if (AuthorizerType.of(type) == null) {
        errors.add(FieldError.notSupported(at.child("type"), type, AuthorizerType.spellings()));
      } else if (!types.add(type) && !type.equals(AuthorizerType.WEBHOOK.spelling())) {
        errors.add(FieldError.duplicate(at.child("type"), Json.of(type)));
      } else {
        name(authorizer.string("name"), at.child("name"), names);
        details(authorizer, at);
      }
    }
  }

  private void name(String name, FieldPath at, Set<String> names) {
    if (name.isEmpty()) {
      errors.add(FieldError.required(at, ""));
    } else if (!names.add(name)) {
      errors.add(FieldError.duplicate(at, Json.of(name)));
    } else {
      var problems = Names.dnsSubdomain(name);
      if (!problems.isEmpty()) {
        errors.add(
            FieldError.invalid(
                at, name, "authorizer name is invalid: " + String.join(", ", problems)));
      }
    }
  }

  private void details(JsonObject authorizer, FieldPath at) {
    boolean isWebhook = authorizer.string("type").equals(AuthorizerType.WEBHOOK.spelling());
    if (authorizer.get("webhook") instanceof JsonObject webhook) {
      if (isWebhook) {
        webhook(webhook, at);
      } else {
        errors.add(
            FieldError.invalid(
                at.child("webhook"), "non-null", "may only be specified when type=Webhook"));
      }
    } else if (isWebhook) {
      errors.add(FieldError.required(at.child("webhook"), "required when type=Webhook"));
    }
  }

  /** Upstream omits "webhook" from these field paths. */
  private void webhook(JsonObject webhook, FieldPath at) {
    timeout(webhook, at.child("timeout"));
    positive(webhook, "authorizedTTL", at);
    positive(webhook, "unauthorizedTTL", at);
    choice(webhook, "subjectAccessReviewVersion", at, List.of("v1", "v1beta1"), "");
    var conditions = webhook.array("matchConditions");
    if (!conditions.isEmpty()
        || !webhook.string("matchConditionSubjectAccessReviewVersion").isEmpty()) {
      choice(
          webhook,
          "matchConditionSubjectAccessReviewVersion",
          at,
          List.of("v1"),
          "required if match conditions are specified");
    }
    choice(webhook, "failurePolicy", at, List.of("NoOpinion", "Deny"), "");
    connection(webhook.object("connectionInfo"), at.child("connectionInfo"));
    conditions(conditions, at.child("matchConditions"));
  }

  private void choice(
      JsonObject webhook, String field, FieldPath at, List<String> known, String why) {
    var value = webhook.string(field);
    if (value.isEmpty()) {
      errors.add(FieldError.required(at.child(field), why));
    } else if (!known.contains(value)) {
      errors.add(FieldError.notSupported(at.child(field), value, known));
    }
  }

  private void timeout(JsonObject webhook, FieldPath at) {
    try {
      var timeout = duration(webhook, "timeout");
      if (timeout.isZero()) {
        errors.add(FieldError.required(at, ""));
      } else if (timeout.isNegative() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
        errors.add(FieldError.invalid(at, GoDuration.format(timeout), "must be > 0s and <= 30s"));
      }
    } catch (MalformedValueException e) {
      errors.add(FieldError.invalid(at, webhook.string("timeout"), e.text()));
    }
  }

  private void positive(JsonObject webhook, String field, FieldPath at) {
    try {
      var given = duration(webhook, field);
      if (given.isNegative()) {
        errors.add(FieldError.invalid(at.child(field), GoDuration.format(given), "must be > 0s"));
      }
    } catch (MalformedValueException e) {
      errors.add(FieldError.invalid(at.child(field), webhook.string(field), e.text()));
    }
  }

  private void connection(JsonObject connection, FieldPath at) {
    var file = at.child("kubeConfigFile");
    var name = connection.string("kubeConfigFile");
    switch (connection.string("type")) {
      case "" -> errors.add(FieldError.required(at.child("type"), ""));
      case "InClusterConfig" -> {
        if (!name.isEmpty()) {
          errors.add(FieldError.invalid(file, name, "can only be set when type=KubeConfigFile"));
        } else {
          errors.add(
              FieldError.invalid(
                  at.child("type"),
                  "InClusterConfig",
                  "an API server is in no cluster; use KubeConfigFile"));
        }
      }
      case "KubeConfigFile" -> {
        if (name.isEmpty()) {
          errors.add(FieldError.required(file, ""));
        } else {
          file(name, file);
        }
      }
      default ->
          errors.add(
              FieldError.notSupported(
                  at.child("type"),
                  connection.string("type"),
                  List.of("InClusterConfig", "KubeConfigFile")));
    }
  }

  private void file(String name, FieldPath at) {
    try {
      var path = Path.of(name);
      if (!path.isAbsolute()) {
        errors.add(FieldError.invalid(at, name, "must be an absolute path"));
      } else if (!Files.exists(path)) {
        errors.add(
            FieldError.invalid(
                at, name, "error loading file: stat " + name + ": no such file or directory"));
      } else if (!Files.isRegularFile(path)) {
        errors.add(FieldError.invalid(at, name, "must be a regular file"));
      }
    } catch (InvalidPathException e) {
      errors.add(FieldError.invalid(at, name, "error loading file: " + e.getReason()));
    }
  }

  private void conditions(JsonArray conditions, FieldPath at) {
    if (conditions.size() > MOST_CONDITIONS) {
      errors.add(FieldError.tooMany(at, conditions.size(), MOST_CONDITIONS));
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < conditions.size(); i++) {
      var expression = conditions.object(i).string("expression");
      var path = at.index(i).child("expression");
      if (expression.isBlank()) {
        errors.add(FieldError.required(path, ""));
      } else if (!seen.add(expression)) {
        errors.add(FieldError.duplicate(path, Json.of(expression)));
      } else {
        var problem = ReviewConditions.problem(expression);
        if (!problem.isEmpty()) {
          errors.add(FieldError.invalid(path, expression, problem));
        }
      }
    }
  }

  /** Zero when the field is absent. */
  static Duration duration(JsonObject webhook, String field) {
    var text = webhook.string(field);
    return text.isEmpty() ? Duration.ZERO : GoDuration.parse(text);
  }

  /** How long decisions are cached; zero for not at all. */
  static Duration ttl(JsonObject webhook, String field, String switchedBy) {
    if (webhook.has(switchedBy) && !webhook.isTrue(switchedBy)) {
      return Duration.ZERO;
    }
    var given = duration(webhook, field);
    var standard = field.equals("authorizedTTL") ? AUTHORIZED : UNAUTHORIZED;
    return given.isZero() ? standard : given;
  }
}
