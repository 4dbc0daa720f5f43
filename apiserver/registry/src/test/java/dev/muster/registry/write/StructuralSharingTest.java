package dev.muster.registry.write;

import static dev.muster.registry.Workbench.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StructuralSharingTest {
  private static final String OLD = "{'a':{'b':[1,{'c':'x'}],'d':true},'e':'y','f':null}";

  @Test
  void whatSaysTheSameIsTheOldObjectItself() {
    var old = json(OLD);
    assertThat(StructuralSharing.from(old, json(OLD))).isSameAs(old);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a':{'b':[1,{'c':'x'}],'d':true},'e':'z'}",
        "{'e':'y','a':{'b':[1,{'c':'x'}],'d':true}}",
        "{'a':{'b':[1,{'c':'x'},2],'d':true}}",
        "{'a':{'b':[1],'d':false},'e':{},'g':[]}",
        "{}",
      })
  void theRestIsWhatWasSentInTheOrderInWhichItWasSent(String sent) {
    var kept = StructuralSharing.from(json(OLD), json(sent));
    assertThat(kept.toString()).isEqualTo(json(sent).toString());
  }

  @Test
  void partsThatAreTheSameAreTheOldOnes() {
    var old = json(OLD);
    var kept = StructuralSharing.from(old, json("{'e':'z','a':{'d':true,'b':[1,{'c':'x'}]}}"));
    JsonObject a = kept.object("a");
    assertThat(a.get("b")).isSameAs(old.object("a").get("b"));
    assertThat(a).isNotSameAs(old.object("a"));
  }
}
