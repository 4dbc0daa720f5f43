package dev.muster.multicluster.identity.webhook;

import dev.muster.controllers.Controller;
import dev.muster.controllers.loop.ControlLoop;
import dev.muster.multicluster.rules.PropertyRules;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Runs the rules for cluster properties as an admission webhook and maintains its registration. The
 * leader registers its own certificates, renews them in time, and restores a changed registration.
 * Works on one virtual thread, besides those of requests.
 *
 * @param url under which API servers reach the webhook
 * @param address on which it listens
 */
public record IdentityWebhookController(
    URI url, InetSocketAddress address, PropertyRules rules, InstantSource clock)
    implements Controller {
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration NOW_AND_THEN = Duration.ofMinutes(10);
  private static final String ALL = "all";

  public IdentityWebhookController {
    if (!"https".equals(url.getScheme()) || url.getHost() == null) {
      throw new IllegalArgumentException(
          "--cluster-identity-webhook-url: must be an https URL such as https://10.0.0.5:9443");
    }
  }

  @Override
  public String name() {
    return "cluster-identity-webhook-controller";
  }

  @Override
  public AutoCloseable start(KubernetesClient client) {
    var certificates = new WebhookCertificates(url.getHost(), clock);
    var server =
        WebhookServer.start(address, certificates::serving, new ReviewHandler(client, rules));
    var registrations = client.admissionRegistration().v1().validatingWebhookConfigurations();
    var loop =
        ControlLoop.<String>startTimed(
                name(), 1, LONGEST_PAUSE, key -> Optional.of(register(client, certificates)))
            .follow(
                registrations.withField("metadata.name", WebhookRegistration.NAME),
                present -> Optional.of(ALL));
    loop.add(ALL);
    return () -> {
      loop.close();
      server.close();
    };
  }

  private Duration register(KubernetesClient client, WebhookCertificates certificates) {
    var bundle = certificates.bundle();
    var wanted = WebhookRegistration.of(url, bundle);
    var registrations = client.admissionRegistration().v1().validatingWebhookConfigurations();
    var present = registrations.withName(WebhookRegistration.NAME).get();
    try {
      if (present == null) {
        var _ = registrations.resource(wanted).create();
      } else if (!present.getWebhooks().equals(wanted.getWebhooks())) {
        present.setWebhooks(wanted.getWebhooks());
        var _ = registrations.resource(present).update();
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() == 409) {
        return Duration.ofSeconds(1);
      }
      throw e;
    }
    certificates.registered(bundle);
    return NOW_AND_THEN;
  }
}
