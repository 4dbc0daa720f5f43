package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonMembersTest {
  private static List<String> members(String text) {
    var json = text.getBytes(StandardCharsets.UTF_8);
    var found = new ArrayList<String>();
    var members = new JsonMembers(json, 0);
    while (members.next()) {
      var value =
          new String(
              json, members.value(), members.end() - members.value(), StandardCharsets.UTF_8);
      found.add(text.startsWith("{") ? members.key() + "=" + value : value);
    }
    return found;
  }

  @Test
  void stepsThroughMembersAndElements() {
    assertThat(members("{\"a\":1,\"b\":{\"c\":[2]},\"d\":\"},{\"}"))
        .containsExactly("a=1", "b={\"c\":[2]}", "d=\"},{\"");
    assertThat(members("[ {\"a\": 1} , [2] ,\n\"x\", true ]"))
        .containsExactly("{\"a\": 1}", "[2]", "\"x\"", "true");
    assertThat(members("{ \"a\" : 1 , \"b\" : null }")).containsExactly("a=1", "b=null");
  }

  @Test
  void readsKeysAsTheyAreMeant() {
    assertThat(members("{\"a\\\"b\":1,\"\\u00e4\":2,\"ö\":3}"))
        .containsExactly("a\"b=1", "ä=2", "ö=3");
  }

  @Test
  void whatHoldsNothingHasNoMembers() {
    for (var text : List.of("{}", "[]", "{ }", "[\n]", "1", "\"{\"", "null", "")) {
      assertThat(members(text)).isEmpty();
    }
    assertThat(new JsonMembers(new byte[] {'{', '}'}, -1).next()).isFalse();
  }

  @Test
  void believesWhoSaysWhereAValueEnds() {
    var json = "{\"a\":{\"b\":1},\"c\":2}".getBytes(StandardCharsets.UTF_8);
    var members = new JsonMembers(json, 0);
    assertThat(members.next()).isTrue();
    assertThat(members.isObject()).isTrue();
    var inner = new JsonMembers(json, members.value());
    while (inner.next()) {
      assertThat(inner.is("1")).isTrue();
    }
    members.end(inner.end() + 1);
    assertThat(members.next()).isTrue();
    assertThat(members.key()).isEqualTo("c");
    assertThat(members.next()).isFalse();
    assertThat(members.end()).isEqualTo(json.length - 1);
  }
}
