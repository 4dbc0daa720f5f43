package dev.muster.registry.webhook;

import dev.muster.model.gocompat.GoDuration;
import dev.muster.registry.commit.Deadline;
import dev.muster.types.ClusterView;
import java.time.Duration;

/**
 * One review for a webhook.
 *
 * @param cluster in which a reference to a service is looked up: the one that decides the request
 * @param body JSON
 * @param timeout which the webhook is told, and gets unless the request ends before
 * @param deadline of the request for which it is asked
 * @param mostBytes of an answer that are taken
 */
public record WebhookCall(
    WebhookClient client,
    ClusterView cluster,
    byte[] body,
    Duration timeout,
    Deadline deadline,
    int mostBytes,
    Cancellation cancellation) {

  /** The query that tells a webhook how long it is waited for. */
  public String query() {
    return "timeout=" + GoDuration.format(timeout);
  }

  /** The whole address, for messages. */
  public String url() {
    var address = client.address();
    return (address.isEncrypted() ? "https://" : "http://")
        + address.authority()
        + address.path()
        + "?"
        + query();
  }

  /** What went wrong on the way, as Go's client says it. */
  public WebhookException failure(String why) {
    return new WebhookException("Post \"" + url() + "\": " + why);
  }
}
