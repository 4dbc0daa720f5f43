package dev.muster.authentication.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.authentication.BearerToken;
import dev.muster.authentication.RefusedCredentials;
import dev.muster.authorization.FakeCluster;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.GeneratedKeys;
import dev.muster.pki.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenKeyFilesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;
  private final KeyPair first = GeneratedKeys.rsa(2048);
  private final KeyPair second = GeneratedKeys.rsa(2048);
  private final FakeCluster cluster = new FakeCluster();

  private ServiceAccountTokens tokens(TokenKeyFiles keys, String... issuers) {
    return new ServiceAccountTokens(
        keys,
        List.of(issuers),
        List.of(issuers),
        () -> cluster,
        () -> NOW,
        LegacyTokenUse.IGNORED,
        TokenUseObserver.NONE);
  }

  private String token(ServiceAccountTokens tokens) {
    return new TokenRequests(tokens, Duration.ZERO, true, () -> NOW, RandomGenerator.getDefault())
        .create("ns", "sa", JsonObject.of("spec", JsonObject.EMPTY), cluster, warning -> {})
        .object("status")
        .string("token");
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void keysChangeWithTheirFilesAndRememberedTokensWithThem() throws IOException {
    cluster.put("/serviceaccounts", TokenFixture.object("ns", "sa", "u1"));
    var signing = write("signing.pem", Pem.of(first.getPrivate()));
    var verifying = write("verifying.pem", Pem.of(first.getPublic()));
    var keys = TokenKeyFiles.of(signing, List.of(verifying));
    var tokens = tokens(keys, "https://a");
    var old = token(tokens);
    assertThat(tokens.authenticate(new BearerToken(old), List.of())).isNotNull();
    write("signing.pem", Pem.of(second.getPrivate()));
    write("verifying.pem", Pem.of(first.getPublic()) + Pem.of(second.getPublic()));
    keys.refresh();
    var young = token(tokens);
    assertThat(tokens.authenticate(new BearerToken(old), List.of())).isNotNull();
    assertThat(tokens.authenticate(new BearerToken(young), List.of())).isNotNull();
    assertThat(tokens.keys().jwks().array("keys").objects()).hasSize(2);
    write("verifying.pem", Pem.of(second.getPublic()));
    keys.refresh();
    assertThatThrownBy(() -> tokens.authenticate(new BearerToken(old), List.of()))
        .isInstanceOf(RefusedCredentials.class);
    assertThat(tokens.authenticate(new BearerToken(young), List.of())).isNotNull();
  }

  @Test
  void filesThatCannotBeReadChangeNothing() throws IOException {
    cluster.put("/serviceaccounts", TokenFixture.object("ns", "sa", "u1"));
    var signing = write("signing.pem", Pem.of(first.getPrivate()));
    var keys = TokenKeyFiles.of(signing, List.of());
    var tokens = tokens(keys, "https://a");
    var token = token(tokens);
    write("signing.pem", "half a file");
    keys.refresh();
    Files.delete(signing);
    keys.refresh();
    assertThat(tokens.authenticate(new BearerToken(token), List.of())).isNotNull();
    assertThatThrownBy(() -> TokenKeyFiles.of(write("bad.pem", "x"), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tokensOfEveryIssuerAreAcceptedAndTheFirstSigns() throws IOException {
    cluster.put("/serviceaccounts", TokenFixture.object("ns", "sa", "u1"));
    var keys = TokenKeyFiles.of(write("signing.pem", Pem.of(first.getPrivate())), List.of());
    var before = token(tokens(keys, "https://old"));
    var tokens = tokens(keys, "https://new", "https://old");
    assertThat(tokens.authenticate(new BearerToken(before), List.of())).isNotNull();
    assertThat(tokens(keys, "https://old").authenticate(new BearerToken(token(tokens)), List.of()))
        .isNull();
  }
}
