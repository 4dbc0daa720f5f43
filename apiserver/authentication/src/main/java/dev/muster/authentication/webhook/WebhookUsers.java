package dev.muster.authentication.webhook;

import dev.muster.registry.webhook.WebhookAddress;
import dev.muster.registry.webhook.WebhookCredentials;
import java.util.List;
import java.util.Map;

/**
 * The credentials that this server sends to admission webhooks: the users of a kubeconfig. A user
 * name is the host of a webhook (with its port unless that is 443), a wildcard {@code *.} with the
 * end of a host, or {@code *}. Immutable.
 *
 * @param others for webhooks without a matching user
 */
public record WebhookUsers(Map<String, WebhookCredentials> byName, WebhookCredentials others) {
  /** Sends no credentials to any webhook. */
  public static final WebhookUsers NONE = new WebhookUsers(Map.of(), WebhookCredentials.NONE);

  private static final String USUAL_PORT = ":" + WebhookAddress.HTTPS;

  public WebhookUsers {
    byName = Map.copyOf(byName);
  }

  /** The credentials of the user name that matches best. */
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
