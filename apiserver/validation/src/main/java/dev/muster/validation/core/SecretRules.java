package dev.muster.validation.core;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.value;
import static dev.muster.validation.FieldChecks.immutable;
import static dev.muster.validation.FieldChecks.keys;
import static dev.muster.validation.Rules.field;
import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.model.validation.Names;
import dev.muster.schema.read.EmptyFields;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;
import dev.muster.validation.Rule;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The strategy of Secrets. */
public final class SecretRules {
  private static final int MOST_BYTES = 1024 * 1024;
  private static final String ACCOUNT = "kubernetes.io/service-account.name";

  private static final Rule SECRET =
      Rule.all(
          namespacedMetadata(NameRule.DNS_SUBDOMAIN),
          field("data", keys(Names::configKey), SecretRules::size),
          SecretRules::typed);

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .emptyFields(EmptyFields.at("data"))
          .defaults(value("type", "Opaque"), code(SecretRules::merged))
          .create(SECRET)
          .update(metadataUpdate(), field("type", immutable()), SecretRules::frozen, SECRET)
          .warnings(SecretRules::keyPair)
          .build();

  private SecretRules() {}

  /** Moves {@code stringData} to {@code data}. */
  private static JsonObject merged(JsonObject secret) {
    if (!secret.has("stringData")) {
      return secret;
    }
    var data = secret.object("data").toBuilder();
    secret
        .object("stringData")
        .strings()
        .forEach(
            (key, text) ->
                data.put(
                    key,
                    Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))));
    return secret.without("stringData").with("data", data.build());
  }

  private static void size(FieldCursor data) {
    long size = 0;
    for (var entry : data.entries()) {
      size += ConfigMapRules.decodedLength(entry.text());
    }
    if (size > MOST_BYTES) {
      data.tooLong(MOST_BYTES);
    }
  }

  private static void typed(FieldCursor secret) {
    var data = secret.at("data");
    switch (secret.at("type").text()) {
      case "kubernetes.io/service-account-token" -> {
        var account = secret.at("metadata", "annotations").entry(ACCOUNT);
        if (account.isEmpty()) {
          account.required("");
        }
      }
      case "kubernetes.io/dockercfg" -> json(data.entry(".dockercfg"));
      case "kubernetes.io/dockerconfigjson" -> json(data.entry(".dockerconfigjson"));
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          data.entry("username").required("");
          data.entry("password").required("");
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.entry("ssh-privatekey").isEmpty()) {
          data.entry("ssh-privatekey").required("");
        }
      }
      case "kubernetes.io/tls" -> {
        for (var key : new String[] {"tls.crt", "tls.key"}) {
          if (!data.has(key)) {
            data.entry(key).required("");
          }
        }
      }
      default -> {}
    }
  }

  private static void json(FieldCursor entry) {
    if (entry.isAbsent()) {
      entry.required("");
      return;
    }
    var problem =
        GoJson.problem(Base64.getDecoder().decode(entry.text()), "map[string]interface {}");
    if (!problem.isEmpty()) {
      entry.invalid(Json.of("<secret contents redacted>"), problem);
    }
  }

  private static void frozen(FieldCursor secret) {
    if (!secret.at("immutable").before().isTrue()) {
      return;
    }
    if (!secret.at("immutable").isTrue()) {
      secret.at("immutable").forbidden(ConfigMapRules.FROZEN);
    }
    if (secret.at("data").isChanged()) {
      secret.at("data").forbidden(ConfigMapRules.FROZEN);
    }
  }

  private static void keyPair(FieldCursor secret) {
    if (secret.at("type").isText("kubernetes.io/tls")) {
      var problem =
          KeyPairs.problem(
              secret.at("data").entry("tls.crt").text(), secret.at("data").entry("tls.key").text());
      if (!problem.isEmpty()) {
        secret.warn(problem);
      }
    }
  }
}
