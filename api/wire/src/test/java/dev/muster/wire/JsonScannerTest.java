package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonScannerTest {
  private static final String TEXT =
      """
      {"a":[1,{"spec":{"nodeName":"no"}}],"s":"\\"spec\\":{","n":-1.5e3,"t":true,"x":null,
       "spec" : { "e" : {} , "l":[], "nodeName":"a\\u0041\\n", "m" : "ä" } , "metadata":{"n":1}}\
      """;

  @Test
  void findsAValueAtItsPathOnly() {
    assertThat(string("spec", "nodeName")).isEqualTo("aA\n");
    assertThat(string("spec", "m")).isEqualTo("ä");
    assertThat(find("metadata")).isEqualTo("{\"n\":1}");
    assertThat(find("metadata", "n")).isEqualTo("1");
    assertThat(find("n")).isEqualTo("-1.5e3");
    assertThat(find("t")).isEqualTo("true");
    assertThat(find("a")).isEqualTo("[1,{\"spec\":{\"nodeName\":\"no\"}}]");
  }

  @Test
  void findsNothingWhereNothingIs() {
    assertThat(string("spec", "other")).isEmpty();
    assertThat(string("a", "spec")).isEmpty();
    assertThat(string("spec", "e", "nodeName")).isEmpty();
    assertThat(string("n")).isEmpty();
    assertThat(string("x", "y")).isEmpty();
    assertThat(JsonScanner.string("{}".getBytes(StandardCharsets.UTF_8), "a")).isEmpty();
    assertThat(JsonScanner.string("7".getBytes(StandardCharsets.UTF_8), "a")).isEmpty();
  }

  @Test
  void passesStringsOfAllLengths() {
    for (int length = 0; length < 40; length++) {
      var text = "{\"a\":\"%s\\\"\\\\\",\"b\":\"%s\"}".formatted("x".repeat(length), length);
      assertThat(JsonScanner.string(text.getBytes(StandardCharsets.UTF_8), "b"))
          .isEqualTo(Integer.toString(length));
      assertThat(JsonScanner.string(text.getBytes(StandardCharsets.UTF_8), "a"))
          .isEqualTo("x".repeat(length) + "\"\\");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'p':1} | {}",
        "{'p':{'p':[1,{'a':'}'}]},'b':2} | {'b':2}",
        "{'a':1,'p':{'x':'\\'p\\':'}} | {'a':1}",
        "{'a':1,'p':[],'b':2} | {'a':1,'b':2}",
        "{'p':1,'p':2} | {}",
        "{'a':{'p':1,'b':['p',{'p':null}]},'p':true,'c':'p'} | {'a':{'b':['p',{}]},'c':'p'}",
        "{ 'a' : 1 , 'p' : 2 , 'b' : 'p:' } | { 'a' : 1 , 'b' : 'p:' }",
        "{'pp':1,'P':2} | {'pp':1,'P':2}",
        "'p' | 'p'",
      })
  void leavesOutTheMembersOfAKey(String text, String rest) {
    var bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThat(new String(JsonScanner.without(bytes, "p"), StandardCharsets.UTF_8))
        .isEqualTo(rest.replace('\'', '"'));
  }

  private static String string(String... path) {
    return JsonScanner.string(TEXT.getBytes(StandardCharsets.UTF_8), path);
  }

  private static String find(String... path) {
    var bytes = TEXT.getBytes(StandardCharsets.UTF_8);
    int start = JsonScanner.find(bytes, path);
    int end = JsonScanner.afterValue(bytes, start, bytes.length);
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }
}
