package dev.muster.validation.core;

import static dev.muster.validation.Rules.metadataUpdate;
import static dev.muster.validation.Rules.namespacedMetadata;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.types.Strategy;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.ResourceRules;

/** The strategy of ServiceAccounts. Of a secret reference only the name is stored. */
public final class ServiceAccountRules {
  private static final String ENFORCE = "kubernetes.io/enforce-mountable-secrets";

  public static final Strategy STRATEGY =
      ResourceRules.namespaced()
          .prepareCreate(ServiceAccountRules::cleaned)
          .prepareUpdate((account, old) -> cleaned(account))
          .create(namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .update(metadataUpdate(), namespacedMetadata(NameRule.DNS_SUBDOMAIN))
          .warnings(ServiceAccountRules::warnings)
          .answersDeleteWithObject()
          .build();

  private ServiceAccountRules() {}

  private static JsonObject cleaned(JsonObject account) {
    return account.get("secrets") instanceof JsonArray secrets
        ? account.with(
            "secrets",
            secrets.map(
                secret ->
                    secret instanceof JsonObject reference
                        ? JsonObject.builder().putIf("name", reference.string("name")).build()
                        : secret))
        : account;
  }

  private static void warnings(FieldCursor account) {
    var annotations = account.at("metadata", "annotations");
    if (annotations.has(ENFORCE) && !annotations.before().has(ENFORCE)) {
      account.warn(
          "metadata.annotations["
              + ENFORCE
              + "]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted"
              + " secrets");
    }
  }
}
