package dev.muster.authorization.modes;

import dev.muster.authorization.modes.AuthorizationConfiguration.Entry;
import dev.muster.authorization.modes.AuthorizationConfiguration.FailurePolicy;
import dev.muster.authorization.modes.AuthorizationConfiguration.Webhook;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.wire.ConfigurationKind;
import dev.muster.wire.DecodeException;
import dev.muster.wire.yaml.YamlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Parses the {@code --authorization-config} file strictly. Unknown fields are refused. For
 * well-formed but invalid configurations, the messages are kube-apiserver's.
 */
public final class ConfigurationFile {
  private static final String LOADING = "failed to load AuthorizationConfiguration from file: ";
  private static final ConfigurationKind KIND =
      new ConfigurationKind(
          "AuthorizationConfiguration",
          Set.of(
              "apiserver.config.k8s.io/v1",
              "apiserver.config.k8s.io/v1beta1",
              "apiserver.config.k8s.io/v1alpha1"));

  private ConfigurationFile() {}

  /**
   * @throws IllegalArgumentException with all problems
   */
  public static AuthorizationConfiguration parse(byte[] text) {
    return parse(text, Set.of());
  }

  /**
   * @param required types other than webhooks that must be configured
   * @throws IllegalArgumentException with all problems
   */
  static AuthorizationConfiguration parse(byte[] text, Set<AuthorizerType> required) {
    var document = document(text);
    var errors = AuthorizationConfigurationRules.check(document);
    if (!errors.isEmpty()) {
      throw new IllegalArgumentException(FieldError.join(errors));
    }
    var entries = new ArrayList<Entry>();
    for (var authorizer : document.array("authorizers").objects()) {
      entries.add(entry(authorizer));
    }
    checkNames(entries, required);
    return new AuthorizationConfiguration(entries);
  }

  private static JsonObject document(byte[] text) {
    if (text.length == 0) {
      return JsonObject.EMPTY;
    }
    try {
      var document = YamlReader.document(text);
      if (!(document.value() instanceof JsonObject object)) {
        throw new IllegalArgumentException(LOADING + "it holds no object");
      }
      KIND.read(document, ConfigurationKind.shown(object), ConfigurationForm::read);
      return object;
    } catch (DecodeException e) {
      throw new IllegalArgumentException(LOADING + e.text());
    }
  }

  private static Entry entry(JsonObject authorizer) {
    var type = AuthorizerType.of(authorizer.string("type"));
    if (type == null) {
      throw new IllegalArgumentException("unknown type " + authorizer.string("type"));
    }
    return new Entry(
        type,
        authorizer.string("name"),
        type == AuthorizerType.WEBHOOK ? webhook(authorizer.object("webhook")) : null);
  }

  private static Webhook webhook(JsonObject webhook) {
    return new Webhook(
        AuthorizationConfigurationRules.duration(webhook, "timeout"),
        AuthorizationConfigurationRules.ttl(webhook, "authorizedTTL", "cacheAuthorizedRequests"),
        AuthorizationConfigurationRules.ttl(
            webhook, "unauthorizedTTL", "cacheUnauthorizedRequests"),
        webhook.string("subjectAccessReviewVersion"),
        webhook.string("failurePolicy").equals("Deny")
            ? FailurePolicy.DENY
            : FailurePolicy.NO_OPINION,
        Path.of(webhook.object("connectionInfo").string("kubeConfigFile")),
        webhook.array("matchConditions").objects().stream()
            .map(condition -> condition.string("expression"))
            .toList());
  }

  private static void checkNames(List<Entry> entries, Set<AuthorizerType> required) {
    var problems = new ArrayList<String>();
    var missing = new TreeSet<String>();
    required.forEach(type -> missing.add(type.spelling()));
    for (var entry : entries) {
      var type = entry.type();
      missing.remove(type.spelling());
      if (type != AuthorizerType.WEBHOOK && !entry.name().equals(type.usualName())) {
        problems.add(
            "expected name %s for authorizer %s instead of %s"
                .formatted(type.usualName(), type.spelling(), entry.name()));
      }
    }
    if (!missing.isEmpty()) {
      problems.add("missing required types: [" + String.join(" ", missing) + "]");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]");
    }
  }
}
