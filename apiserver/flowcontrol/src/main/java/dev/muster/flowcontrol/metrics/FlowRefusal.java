package dev.muster.flowcontrol.metrics;

/** The reason why flow control refuses a request. */
public enum FlowRefusal {
  QUEUE_FULL("queue-full"),
  CONCURRENCY_LIMIT("concurrency-limit"),
  TIME_OUT("time-out"),
  CANCELLED("cancelled");

  private final String reason;

  FlowRefusal(String reason) {
    this.reason = reason;
  }

  /** The label value in metrics. */
  public String reason() {
    return reason;
  }
}
