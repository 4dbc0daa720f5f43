package dev.muster.authentication.webhook;

import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCredentials;
import java.util.List;
import java.util.Map;

/**
 * What this server shows to webhooks, by their names: the users of a kubeconfig. A user is called
 * as the webhook's host, with its port unless that is 443, or as a part of it behind {@code *.}, or
 * {@code *}. Immutable.
 *
 * @param others what those see for whom there is no user
 */
public record WebhookUsers(Map<String, WebhookCredentials> byName, WebhookCredentials others) {
  /** Nothing is shown to anybody. */
  public static final WebhookUsers NONE = new WebhookUsers(Map.of(), WebhookCredentials.NONE);

  private static final String USUAL_PORT = ":" + WebhookAddress.HTTPS;

  public WebhookUsers {
    byName = Map.copyOf(byName);
  }

  /** The user that fits best. */
  public WebhookCredentials of(WebhookAddress address) {
    var host = name(address);
    var exact = byName.get(host);
    if (exact != null) {
      return exact;
    }
    var parts = List.of(host.split("\\.", -1));
    for (int i = 1; i < parts.size(); i++) {
      var found = byName.get("*." + String.join(".", parts.subList(i, parts.size())));
      if (found != null) {
        return found;
      }
    }
    return byName.getOrDefault("*", others);
  }

  private static String name(WebhookAddress address) {
    var authority = address.authority();
    return address instanceof WebhookAddress.Service && authority.endsWith(USUAL_PORT)
        ? authority.substring(0, authority.length() - USUAL_PORT.length())
        : authority;
  }
}
