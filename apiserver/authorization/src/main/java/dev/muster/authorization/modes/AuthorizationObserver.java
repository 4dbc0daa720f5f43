package dev.muster.authorization.modes;

/** Receives the results of authorizers, for metrics. Thread-safe. Never blocks. */
public interface AuthorizationObserver {
  /** Ignores everything. */
  AuthorizationObserver NONE =
      new AuthorizationObserver() {
        @Override
        public Decisions decisions(AuthorizerType type, String name) {
          return allowed -> {};
        }

        @Override
        public void asked(String webhook, AskResult result, long nanos) {}

        @Override
        public void failedOpen(String webhook, AskResult result) {}

        @Override
        public void matched(String webhook, MatchResult result, long nanos) {}

        @Override
        public void configured(byte[] file) {}

        @Override
        public void reloaded(boolean success, byte[] file) {}
      };

  /** Counts the decisions of one authorizer; no opinion is not counted. */
  @FunctionalInterface
  interface Decisions {
    void decided(boolean allowed);
  }

  /** The result of a webhook request. */
  enum AskResult {
    SUCCESS,
    TIMEOUT,
    ERROR
  }

  /** The result of a webhook's match conditions. */
  enum MatchResult {
    MATCH,
    EXCLUDED,
    FAILED
  }

  Decisions decisions(AuthorizerType type, String name);

  /** A webhook was asked once; each retry counts separately. */
  void asked(String webhook, AskResult result, long nanos);

  /** A webhook failed, and the next authorizer decides. */
  void failedOpen(String webhook, AskResult result);

  void matched(String webhook, MatchResult result, long nanos);

  /** The configuration file at the start. */
  void configured(byte[] file);

  /** A changed file was applied or refused. */
  void reloaded(boolean success, byte[] file);
}
