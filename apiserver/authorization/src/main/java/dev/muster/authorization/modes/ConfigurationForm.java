package dev.muster.authorization.modes;

import dev.muster.wire.StrictFields;

/** Checks the fields of an authorization configuration and their types. */
final class ConfigurationForm {
  private ConfigurationForm() {}

  /** Consumes all known fields. */
  static boolean read(StrictFields configuration) {
    configuration.objects("authorizers", ConfigurationForm::authorizer);
    return true;
  }

  private static boolean authorizer(StrictFields authorizer) {
    authorizer.text("type");
    authorizer.text("name");
    authorizer.optionalObject("webhook", ConfigurationForm::webhook);
    return true;
  }

  private static boolean webhook(StrictFields webhook) {
    webhook.text("authorizedTTL");
    webhook.bool("cacheAuthorizedRequests");
    webhook.text("unauthorizedTTL");
    webhook.bool("cacheUnauthorizedRequests");
    webhook.text("timeout");
    webhook.text("subjectAccessReviewVersion");
    webhook.text("matchConditionSubjectAccessReviewVersion");
    webhook.text("failurePolicy");
    webhook.optionalObject("connectionInfo", ConfigurationForm::connection);
    webhook.objects("matchConditions", condition -> condition.text("expression"));
    return true;
  }

  private static boolean connection(StrictFields connection) {
    connection.text("type");
    connection.text("kubeConfigFile");
    return true;
  }
}
