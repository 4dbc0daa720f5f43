package dev.muster.flowcontrol.metrics;

/** Why a request does not run. */
public enum FlowRefusal {
  QUEUE_FULL("queue-full"),
  CONCURRENCY_LIMIT("concurrency-limit"),
  TIME_OUT("time-out"),
  CANCELLED("cancelled");

  private final String reason;

  FlowRefusal(String reason) {
    this.reason = reason;
  }

  /** As the metrics name it. */
  public String reason() {
    return reason;
  }
}
