package dev.muster.admission.webhook;

import dev.muster.admission.manifest.ManifestSet;
import dev.muster.authentication.webhook.WebhookUsers;
import dev.muster.authorization.Authorizer;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.webhook.WebhookTransport;
import java.util.function.Supplier;

/**
 * What the webhooks of admission need of the server, mutating and validating ones alike.
 *
 * @param authorizer whom conditions may ask about rights
 * @param users what is shown to webhooks
 * @param ids of reviews
 * @param manifests configurations that the API does not know of
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
