package dev.muster.registry.commit;

import dev.muster.model.status.ApiException;
import java.time.Duration;

/**
 * A refusal because of something that usually appears soon, such as the default ServiceAccount of a
 * new namespace. Until {@code patience} ends, the write is attempted again whenever the cluster
 * changes. Has no stack trace because it is no fault.
 */
public final class RetryWhenChanged extends RuntimeException {
  private final ApiException refusal;
  private final Duration patience;

  /**
   * @param refusal the answer when patience ends
   * @param patience how long to retry, from the first such refusal on
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
