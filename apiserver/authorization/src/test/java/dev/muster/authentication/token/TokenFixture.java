package dev.muster.authentication.token;

import dev.muster.authorization.FakeCluster;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.GeneratedKeys;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A cluster with service accounts, and somebody who makes and takes their tokens. */
final class TokenFixture {
  static final KeyPair KEY = GeneratedKeys.rsa(2048);
  static final String ISSUER = "https://kubernetes.default.svc";

  Instant now = Instant.parse("2026-01-01T00:00:00Z");
  final FakeCluster cluster = new FakeCluster();
  final List<String> warnings = new ArrayList<>();
  final List<String> uses = new ArrayList<>();

  /** What is counted of the tokens that are shown. */
  final List<String> counted = new ArrayList<>();

  private final TokenUseObserver observer =
      new TokenUseObserver() {
        @Override
        public void projected(boolean stale) {
          counted.add(stale ? "stale" : "valid");
        }

        @Override
        public void legacy(boolean generated) {
          counted.add(generated ? "generated" : "manual");
        }

        @Override
        public void invalidated() {
          counted.add("invalidated");
        }
      };

  final ServiceAccountTokens tokens = tokens(new TokenKeys(KEY, List.of()));
  Duration longest = Duration.ZERO;

  ServiceAccountTokens tokens(TokenKeys keys) {
    return new ServiceAccountTokens(
        () -> keys,
        List.of(ISSUER),
        List.of(ISSUER),
        () -> cluster,
        () -> now,
        (secret, today) -> uses.add(secret.object("metadata").string("name") + " on " + today),
        observer);
  }

  static JsonObject object(String namespace, String name, String uid) {
    return JsonObject.of(
        "metadata",
        JsonObject.builder()
            .put("name", name)
            .putIf("namespace", namespace)
            .put("uid", uid)
            .build());
  }

  TokenFixture account(String namespace, String name, String uid) {
    cluster.put("/serviceaccounts", object(namespace, name, uid));
    return this;
  }

  JsonObject request(String namespace, String name, JsonObject spec) {
    return new TokenRequests(tokens, longest, true, () -> now, RandomGenerator.getDefault())
        .create(namespace, name, JsonObject.of("spec", spec), cluster, warnings::add);
  }

  String token(String namespace, String name, JsonObject spec) {
    return request(namespace, name, spec).object("status").string("token");
  }
}
