package dev.muster.server.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.http.Header;
import dev.muster.model.User;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RemoteUserTest {
  @Test
  void everythingAboutTheUserIsTold() throws Exception {
    var user = new User("jane", "7", List.of("a", "b"), Map.of("x/Y%", List.of("1", "2")));
    assertThat(RemoteUser.headers(user))
        .containsExactly(
            new Header("x-remote-user", "jane"),
            new Header("x-remote-uid", "7"),
            new Header("x-remote-group", "a"),
            new Header("x-remote-group", "b"),
            new Header("x-remote-extra-x%2FY%25", "1"),
            new Header("x-remote-extra-x%2FY%25", "2"));
  }

  @Test
  void namesGoOverTheWireInUtf8() throws Exception {
    assertThat(RemoteUser.headers(User.of("ü")))
        .containsExactly(new Header("x-remote-user", "\u00c3\u00bc"));
  }

  @Test
  void aNameThatWouldBeAnotherHeaderIsNotSent() {
    assertThatThrownBy(() -> RemoteUser.headers(User.of("a\r\nx-remote-group: system:masters")))
        .isInstanceOf(BackendException.class)
        .hasMessageContaining("invalid header field value");
  }
}
