package dev.muster.patch;

import static dev.muster.patch.edit.Tree.json;
import static dev.muster.patch.edit.Tree.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.status.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'a':1}             | {}                              | {'a':1}
          {'a':1}             | {'b':2}                         | {'a':1,'b':2}
          {'a':1,'b':2}       | {'a':null}                      | {'b':2}
          {'a':1}             | {'b':null}                      | {'a':1}
          {'a':{'x':1}}       | {'a':{}}                        | {'a':{'x':1}}
          {'a':{'x':1}}       | {'a':{'x':null,'y':2}}          | {'a':{'y':2}}
          {'a':{'x':1}}       | {'a':5}                         | {'a':5}
          {'a':5}             | {'a':{'x':1,'y':null}}          | {'a':{'x':1}}
          {'a':null}          | {'a':{'x':1,'y':null}}          | {'a':{'x':1}}
          {}                  | {'a':{'b':{'c':null,'d':1}}}    | {'a':{'b':{'d':1}}}
          {}                  | {'a':[{'b':null},null]}         | {'a':[{},null]}
          {'a':[1,2]}         | {'a':[3]}                       | {'a':[3]}
          {'a':{}}            | {'a':[{'b':null}]}              | {'a':[{'b':null}]}
          """)
  void mergesAsKubeApiserverDoes(String document, String patch, String result) {
    assertThat(MergePatch.apply(object(document), object(patch))).isEqualTo(object(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'c':{'z':1,'y':2},'b':1} | {'a':{'n':1,'m':2}}      | {'a':{'m':2,'n':1},'b':1,'c':{'z':1,'y':2}}
          {'c':{'z':1,'y':2}}       | {'c':{'x':{'b':1,'a':2}}} | {'c':{'x':{'a':2,'b':1},'y':2,'z':1}}
          {'c':{'z':1}}             | {'c':[{'b':1,'a':2}]}    | {'c':[{'b':1,'a':2}]}
          {'c':[1]}                 | {'c':[{'b':1,'a':2}]}    | {'c':[{'a':2,'b':1}]}
          """)
  void isPrintedSortedWhereThePatchTouchesIt(String document, String patch, String printed) {
    assertThat(MergePatch.applyInPrintedOrder(object(document), object(patch)).toString())
        .isEqualTo(object(printed).toString());
  }

  @Test
  void keepsTheInstanceWhenNothingChanges() {
    var document = object("{'a':{'x':1,'l':[1]},'b':2}");
    assertThat(MergePatch.apply(document, object("{'a':{'l':[1]},'b':2,'c':null}")))
        .isSameAs(document);
  }

  @Test
  void refusesWhatIsNoObject() {
    assertThatThrownBy(() -> MergePatch.parse(json("[]")))
        .isInstanceOf(ApiException.class)
        .hasMessage(
            "error decoding patch: json: cannot unmarshal array into Go value of type"
                + " map[string]interface {}");
    assertThatThrownBy(() -> MergePatch.parse(json("null"))).hasMessage("Invalid JSON Patch");
  }
}
