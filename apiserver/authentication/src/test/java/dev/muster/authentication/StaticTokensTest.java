package dev.muster.authentication;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class StaticTokensTest {
  private static StaticTokens tokens(String text) {
    return StaticTokens.parse(text, "t.csv", List.of("api"));
  }

  @Test
  void readsUsersAndGroups() {
    var tokens = tokens("secret,jane,u1,\"devs,ops\"\r\n\nother,joe,u2\nthird,\"a \"\"b\"\"\",\n");
    var jane = requireNonNull(tokens.authenticate(new BearerToken("secret"), List.of()));
    assertThat(jane.user().name()).isEqualTo("jane");
    assertThat(jane.user().uid()).isEqualTo("u1");
    assertThat(jane.user().groups()).containsExactly("devs", "ops", "system:authenticated");
    var joe = requireNonNull(tokens.authenticate(new BearerToken("other"), List.of()));
    assertThat(joe.user().groups()).containsExactly("system:authenticated");
    var third = requireNonNull(tokens.authenticate(new BearerToken("third"), List.of()));
    assertThat(third.user().name()).isEqualTo("a \"b\"");
    assertThat(tokens.authenticate(new BearerToken("unknown"), List.of())).isNull();
    assertThat(tokens.authenticate(new BearerToken(""), List.of())).isNull();
  }

  @Test
  void isGoodForThisServersAudiencesOnly() {
    var tokens = tokens("secret,jane,u1");
    var found = requireNonNull(tokens.authenticate(new BearerToken("secret"), List.of("x", "api")));
    assertThat(found.audiences()).containsExactly("api");
    assertThat(tokens.authenticate(new BearerToken("secret"), List.of("x"))).isNull();
  }

  @Test
  void namesTheFileWhoseLinesAreShort() {
    assertThatThrownBy(() -> tokens("a,b\n"))
        .hasMessage(
            "token file 't.csv' must have at least 3 columns (token, user name, user uid), found"
                + " 2");
  }

  @Test
  void ignoresEmptyTokens() {
    assertThat(tokens(",jane,u\n").authenticate(new BearerToken(""), List.of())).isNull();
  }
}
