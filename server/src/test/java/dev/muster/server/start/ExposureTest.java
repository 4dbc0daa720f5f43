package dev.muster.server.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.access.Authorizer;
import dev.muster.access.Decision;
import dev.muster.access.authentication.RequestAuthenticator;
import dev.muster.access.authorization.AlwaysAllow;
import dev.muster.access.authorization.AlwaysDeny;
import dev.muster.model.User;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExposureTest {
  private static List<String> found(boolean anonymous, Authorizer authorizer) {
    return Exposure.rightsOfStrangers(new RequestAuthenticator(List.of(), anonymous), authorizer);
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
