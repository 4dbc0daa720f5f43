package dev.muster.server.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.authentication.RequestAuthenticator;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.modes.AlwaysAllow;
import dev.muster.authorization.modes.AlwaysDeny;
import dev.muster.model.User;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenAccessWarningTest {
  private static List<String> found(boolean anonymous, Authorizer authorizer) {
    return OpenAccessWarning.rightsOfStrangers(
        new RequestAuthenticator(List.of(), anonymous), authorizer);
  }

  @Test
  void whatStrangersMayDoAndShouldNotIsFound() {
    assertThat(found(true, new AlwaysAllow())).contains("get secrets", "get nodes/proxy");
    assertThat(found(true, new AlwaysDeny())).isEmpty();
    Authorizer onlySecrets =
        wanted ->
            wanted.resource().equals("secrets") && wanted.user().in(User.ALL_UNAUTHENTICATED)
                ? Decision.allow("")
                : Decision.NO_OPINION;
    assertThat(found(true, onlySecrets)).containsExactly("get secrets");
  }

  @Test
  void whereNobodyIsAnonymousThereAreNoStrangers() {
    assertThat(found(false, new AlwaysAllow())).isEmpty();
  }
}
