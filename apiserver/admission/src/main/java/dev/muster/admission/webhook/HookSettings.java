package dev.muster.admission.webhook;

import dev.muster.admission.manifest.ManifestSet;
import dev.muster.authentication.webhook.WebhookUsers;
import dev.muster.authorization.Authorizer;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.webhook.WebhookTransport;
import java.util.function.Supplier;

/**
 * The server components that mutating and validating webhooks use.
 *
 * @param authorizer for the {@code authorizer} variable of match conditions
 * @param users supplies credentials for webhooks
 * @param ids creates the UIDs of reviews
 * @param manifests configurations from manifest files
 */
public record HookSettings(
    Authorizer authorizer,
    WebhookTransport transport,
    Supplier<WebhookUsers> users,
    Supplier<String> ids,
    AdmissionObserver observer,
    Supplier<ManifestSet> manifests) {

  /**
   * @param collection as views name it
   */
  HookConfigurations configurations(String collection) {
    return new HookConfigurations(collection, manifests);
  }

  HookMatcher matcher(Step step) {
    return new HookMatcher(authorizer, observer, step);
  }

  HookCaller caller() {
    return new HookCaller(transport, users, ids, observer);
  }
}
