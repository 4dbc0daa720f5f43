package dev.muster.controllers.tokens;

import static dev.muster.controllers.Yaml.object;
import static dev.muster.controllers.tokens.UnusedTokens.Step.DELETE;
import static dev.muster.controllers.tokens.UnusedTokens.Step.KEEP;
import static dev.muster.controllers.tokens.UnusedTokens.Step.MARK_INVALID;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnusedTokensTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);
  private static final JsonObject ACCOUNT =
      object("{metadata: {name: a, uid: u}, secrets: [{name: t}]}");

  private static JsonObject token(String labels) {
    return object(
        """
        type: kubernetes.io/service-account-token
        metadata:
          name: t
          creationTimestamp: '2026-01-01T00:00:00Z'
          annotations: {kubernetes.io/service-account.uid: u}
          labels: {%s}
        """
            .formatted(labels));
  }

  private static UnusedTokens.Step step(String labels) {
    return UnusedTokens.step(token(labels), ACCOUNT, Set.of(), MONTH, NOW);
  }

  @Test
  void aTokenThatNobodyUsesIsMarkedAndLaterDeleted() {
    assertThat(step("")).isEqualTo(MARK_INVALID);
    assertThat(step("kubernetes.io/legacy-token-last-used: '2026-03-01'")).isEqualTo(MARK_INVALID);
    assertThat(step("kubernetes.io/legacy-token-invalid-since: '2026-05-20'")).isEqualTo(KEEP);
    assertThat(step("kubernetes.io/legacy-token-invalid-since: '2026-04-01'")).isEqualTo(DELETE);
  }

  @Test
  void aTokenThatIsUsedStays() {
    assertThat(step("kubernetes.io/legacy-token-last-used: '2026-05-30'")).isEqualTo(KEEP);
    assertThat(step("kubernetes.io/legacy-token-last-used: sometime")).isEqualTo(KEEP);
    assertThat(UnusedTokens.step(token(""), ACCOUNT, Set.of("t"), MONTH, NOW)).isEqualTo(KEEP);
  }

  @Test
  void aTokenThatSomebodyMadeStays() {
    assertThat(UnusedTokens.step(token(""), null, Set.of(), MONTH, NOW)).isEqualTo(KEEP);
    var other = object("{metadata: {name: a, uid: u}}");
    assertThat(UnusedTokens.step(token(""), other, Set.of(), MONTH, NOW)).isEqualTo(KEEP);
  }

  @Test
  void podsNameSecretsInManyPlaces() {
    var pod =
        object(
            """
            spec:
              imagePullSecrets: [{name: pull}]
              containers:
              - env: [{valueFrom: {secretKeyRef: {name: env}}}]
                envFrom: [{secretRef: {name: from}}]
              volumes:
              - secret: {secretName: volume}
              - projected: {sources: [{secret: {name: projected}}]}
            """);
    assertThat(UnusedTokens.mounted(pod))
        .containsExactlyInAnyOrder("pull", "env", "from", "volume", "projected");
  }
}
