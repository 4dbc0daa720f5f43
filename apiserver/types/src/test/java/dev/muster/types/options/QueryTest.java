package dev.muster.types.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueryTest {
  @Test
  void readsNamesAndValuesWithAndWithoutSigns() {
    var query = Query.parse("a=1&b&c=&a=2&&d=%41+b=c&=e&x;y=1");
    assertThat(query.all("a")).containsExactly("1", "2");
    assertThat(query.has("b")).isTrue();
    assertThat(query.first("b")).isEmpty();
    assertThat(query.first("c")).isEmpty();
    assertThat(query.first("d")).isEqualTo("A b=c");
    assertThat(query.first("")).isEqualTo("e");
    assertThat(query.has("x;y")).isFalse();
  }

  /** Each name was once compared with all that follow it: a quarter of an hour for this one. */
  @Test
  void aMegabyteOfNamesWithoutValuesIsReadInOnePass() {
    var query = Query.parse("a&".repeat(1_000_000) + "b=1");
    assertThat(query.first("b")).isEqualTo("1");
    assertThat(query.all("a")).hasSize(1_000_000);
  }

  @Test
  void isWrittenAsGoDoes() {
    assertThat(Query.parse("y=a%20b&x=2&x=1&e&*=~").encoded()).isEqualTo("%2A=~&e=&x=2&x=1&y=a+b");
    assertThat(Query.NONE.encoded()).isEmpty();
  }
}
