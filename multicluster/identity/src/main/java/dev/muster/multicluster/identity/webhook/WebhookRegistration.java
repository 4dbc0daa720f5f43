package dev.muster.multicluster.identity.webhook;

import dev.muster.multicluster.identity.ClusterProperty;
import dev.muster.multicluster.rules.WellKnownProperties;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The webhook configuration, with two entries. Writes of well-known properties fail while the
 * webhook is unavailable; all others proceed without it.
 */
final class WebhookRegistration {
  static final String NAME = "muster-cluster-identity";
  private static final Pattern SERVICE = Pattern.compile("([a-z0-9-]+)\\.([a-z0-9-]+)\\.svc");

  /**
   * Matches the object's name, because the request has none in a deletecollection or with a
   * generated name.
   */
  private static final String WELL_KNOWN =
      "(oldObject == null ? object : oldObject).metadata.name in ['%s', '%s']"
          .formatted(WellKnownProperties.CLUSTER_ID, WellKnownProperties.CLUSTER_SET);

  private WebhookRegistration() {}

  static ValidatingWebhookConfiguration of(URI url, String bundle) {
    return new ValidatingWebhookConfigurationBuilder()
        .withNewMetadata()
        .withName(NAME)
        .addToLabels("app.kubernetes.io/managed-by", "muster")
        .endMetadata()
        .withWebhooks(
            webhook("well-known.clusterproperties.muster.dev", "Fail", WELL_KNOWN, url, bundle),
            webhook(
                "names.clusterproperties.muster.dev",
                "Ignore",
                "!(" + WELL_KNOWN + ")",
                url,
                bundle))
        .build();
  }

  private static ValidatingWebhook webhook(
      String name, String failurePolicy, String condition, URI url, String bundle) {
    return new ValidatingWebhookBuilder()
        .withName(name)
        .withAdmissionReviewVersions("v1")
        .withSideEffects("None")
        .withFailurePolicy(failurePolicy)
        .withMatchPolicy("Equivalent")
        .withTimeoutSeconds(10)
        .withNamespaceSelector(new LabelSelector())
        .withObjectSelector(new LabelSelector())
        .withClientConfig(client(url, bundle))
        .withRules(
            List.of(
                new RuleWithOperationsBuilder()
                    .withApiGroups(ClusterProperty.GROUP)
                    .withApiVersions("*")
                    .withResources("clusterproperties")
                    .withOperations("CREATE", "UPDATE", "DELETE")
                    .withScope("Cluster")
                    .build()))
        .addNewMatchCondition(condition, "names")
        .build();
  }

  /** A host such as {@code muster.kube-system.svc} is registered as a Service reference. */
  private static WebhookClientConfig client(URI url, String bundle) {
    var config =
        new WebhookClientConfigBuilder()
            .withCaBundle(
                Base64.getEncoder().encodeToString(bundle.getBytes(StandardCharsets.US_ASCII)));
    var service = SERVICE.matcher(url.getHost());
    return service.matches()
        ? config
            .withNewService(
                service.group(1),
                service.group(2),
                WebhookServer.PATH,
                url.getPort() < 0 ? 443 : url.getPort())
            .build()
        : config.withUrl(url.resolve(WebhookServer.PATH).toString()).build();
  }
}
