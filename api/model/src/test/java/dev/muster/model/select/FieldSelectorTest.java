package dev.muster.model.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldSelectorTest {
  private static final Map<String, String> FIELDS =
      Map.of("metadata.name", "pear", "note", "a,b=c\\d");

  private static boolean chosen(String text) {
    return FieldSelector.parse(text).matches(FIELDS::get);
  }

  @Test
  void comparesFieldsAndTakesAbsentOnesForEmpty() {
    assertThat(chosen("metadata.name=pear")).isTrue();
    assertThat(chosen("metadata.name==pear")).isTrue();
    assertThat(chosen("metadata.name!=pear")).isFalse();
    assertThat(chosen("metadata.name=pear,absent=")).isTrue();
    assertThat(chosen("metadata.name=pear,absent!=")).isFalse();
    assertThat(chosen("")).isTrue();
  }

  @Test
  void readsAndWritesEscapes() {
    assertThat(chosen("note=a\\,b\\=c\\\\d")).isTrue();
    assertThat(FieldSelector.parse("note=a\\,b\\=c\\\\d")).hasToString("note=a\\,b\\=c\\\\d");
  }

  @Test
  void skipsEmptyTermsAndSortsTheOthers() {
    assertThat(FieldSelector.parse("z=1,,a!=2,")).hasToString("a!=2,z=1");
    assertThat(FieldSelector.parse("=,==,!=").isEverything()).isTrue();
    assertThat(FieldSelector.parse("=x")).hasToString("=x");
  }

  @Test
  void refusesInKubernetesWords() {
    assertThatThrownBy(() -> FieldSelector.parse("a=1,b"))
        .hasMessage("invalid selector: 'a=1,b'; can't understand 'b'");
    assertThatThrownBy(() -> FieldSelector.parse("a=b=c"))
        .hasMessage("invalid field selector: unescaped character in value: 61");
    assertThatThrownBy(() -> FieldSelector.parse("a=b\\x"))
        .hasMessage("invalid field selector: invalid escape sequence: \\x");
    assertThatThrownBy(() -> FieldSelector.parse("a=b\\"))
        .hasMessage("invalid field selector: invalid escape sequence: \\");
  }

  @Test
  void tellsTheExactValueThatAnIndexCanUse() {
    assertThat(FieldSelector.parse("a!=1,b=2").exactValue("b")).isEqualTo("2");
    assertThat(FieldSelector.parse("a!=1,b=2").exactValue("a")).isNull();
  }

  @Test
  void aMatcherAsksForEachFieldOnce() {
    var text = new StringBuilder("a=1");
    for (int i = 0; i < 20_000; i++) {
      text.append(",b!=v").append(i);
    }
    var matcher = new FieldMatcher(FieldSelector.parse(text.toString()));
    var asked = new ArrayList<String>();
    assertThat(
            matcher.matches(
                field -> {
                  asked.add(field);
                  return field.equals("a") ? "1" : "x";
                }))
        .isTrue();
    assertThat(asked).containsExactly("a", "b");
    assertThat(matcher.matches(field -> field.equals("a") ? "1" : "v7")).isFalse();
    assertThat(new FieldMatcher(FieldSelector.parse("a=1,a=2")).matches(field -> "1")).isFalse();
  }
}
