package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import java.time.Duration;

/**
 * A refusal because of something that is usually on its way, such as the account of a new
 * namespace: the write is looked at again whenever the cluster changes, for a while. Has no stack
 * trace, because it is an answer and not a fault.
 */
public final class RetryWhenChanged extends RuntimeException {
  private final ApiException refusal;
  private final Duration patience;

  /**
   * @param refusal the answer when it has not come in time
   * @param patience how long to wait for it, from the first such refusal on
   */
  public RetryWhenChanged(ApiException refusal, Duration patience) {
    super(refusal.getMessage(), refusal, false, false);
    this.refusal = refusal;
    this.patience = patience;
  }

  public ApiException refusal() {
    return refusal;
  }

  Duration patience() {
    return patience;
  }
}
