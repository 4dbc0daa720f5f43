package dev.muster.authentication.jwt;

import java.time.Duration;

/** Receives the results of token verifications and key fetches, for metrics. Thread-safe. */
public interface JwtObserver {
  JwtObserver NONE =
      new JwtObserver() {
        @Override
        public void judged(String issuer, boolean good, Duration time) {}

        @Override
        public void fetchedKeys(String issuer, byte[] keySet) {}

        @Override
        public void failedToFetchKeys(String issuer) {}
      };

  void judged(String issuer, boolean good, Duration time);

  void fetchedKeys(String issuer, byte[] keySet);

  void failedToFetchKeys(String issuer);
}
