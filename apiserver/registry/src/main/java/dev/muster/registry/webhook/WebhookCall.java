package dev.muster.registry.webhook;

import dev.muster.model.gocompat.GoDuration;
import dev.muster.registry.commit.Deadline;
import dev.muster.types.ClusterView;
import java.time.Duration;

/**
 * One call of a webhook.
 *
 * @param cluster in which a Service reference is looked up: the snapshot that decides the request
 * @param body JSON
 * @param timeout the time limit of the call, which is also sent to the webhook
 * @param deadline the deadline of the request that needs this call
 * @param mostBytes the maximum size of the response
 */
public record WebhookCall(
    WebhookClient client,
    ClusterView cluster,
    byte[] body,
    Duration timeout,
    Deadline deadline,
    int mostBytes,
    Cancellation cancellation) {

  /** The query parameter that tells the webhook its timeout. */
  public String query() {
    return "timeout=" + GoDuration.format(timeout);
  }

  /** The complete URL, for messages. */
  public String url() {
    var address = client.address();
    return (address.isEncrypted() ? "https://" : "http://")
        + address.authority()
        + address.path()
        + "?"
        + query();
  }

  /** An exception for a failed call, in the format of Go's HTTP client. */
  public WebhookException failure(String why) {
    return new WebhookException("Post \"" + url() + "\": " + why);
  }
}
