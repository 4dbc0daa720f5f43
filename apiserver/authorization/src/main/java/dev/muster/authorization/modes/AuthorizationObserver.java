package dev.muster.authorization.modes;

/** Is told what authorizers do, for the metrics. Safe for any thread; never blocks. */
public interface AuthorizationObserver {
  /** Tells nobody. */
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

  /** Counts what one authorizer decides; those without an opinion do not count. */
  @FunctionalInterface
  interface Decisions {
    void decided(boolean allowed);
  }

  /** What came of a question to a webhook. */
  enum AskResult {
    SUCCESS,
    TIMEOUT,
    ERROR
  }

  /** What came of the conditions of a webhook. */
  enum MatchResult {
    MATCH,
    EXCLUDED,
    FAILED
  }

  Decisions decisions(AuthorizerType type, String name);

  /** A webhook was asked once, retries included one by one. */
  void asked(String webhook, AskResult result, long nanos);

  /** A webhook could not be asked, and the others decide. */
  void failedOpen(String webhook, AskResult result);

  void matched(String webhook, MatchResult result, long nanos);

  /** The file by which the server started. */
  void configured(byte[] file);

  /** A changed file counts from now on, or could not be used. */
  void reloaded(boolean success, byte[] file);
}
