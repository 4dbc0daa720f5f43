package dev.muster.patch;

import static dev.muster.patch.edit.Shapes.atomic;
import static dev.muster.patch.edit.Shapes.field;
import static dev.muster.patch.edit.Shapes.keyed;
import static dev.muster.patch.edit.Shapes.merge;
import static dev.muster.patch.edit.Shapes.set;
import static dev.muster.patch.edit.Shapes.struct;
import static dev.muster.patch.edit.Tree.json;
import static dev.muster.patch.edit.Tree.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.patch.edit.Shapes;
import dev.muster.schema.Field;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.StructShape;
import dev.muster.testing.CpuTime;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergeTest {
  private static final StructShape LEAF =
      struct("Leaf", field("name", Scalar.STRING), field("value", Scalar.STRING));

  private static final StructShape ITEM =
      struct(
          "Item",
          field("name", Scalar.STRING),
          field("image", Scalar.STRING),
          field("args", atomic(Scalar.STRING)),
          field("env", keyed(LEAF, "name"), merge("name")),
          field("size", Shapes.STRINGS));

  private static final StructShape SPEC =
      struct(
          "Spec",
          field("items", keyed(ITEM, "name"), merge("name")),
          field("ports", keyed(LEAF, "port", "protocol"), merge("port")),
          field("tags", set(Scalar.STRING), merge("")),
          field("plain", atomic(LEAF)),
          field("keyless", atomic(LEAF), merge("")),
          field("map", Shapes.STRINGS),
          field("structs", new MapShape(LEAF, false)),
          field("text", Scalar.STRING),
          field("choice", LEAF),
          field("swap", LEAF, new Field.Patch(false, true, false, "")));

  private static final StructShape ROOT = struct("Root", field("spec", SPEC));

  private static JsonObject apply(String document, String patch) {
    var root = JsonObject.of("spec", object(document));
    return StrategicMerge.apply(ROOT, root, JsonObject.of("spec", object(patch))).object("spec");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'text':'a'}                   | {}                                             | {'text':'a'}
          {'text':'a'}                   | {'text':'b','map':{'x':'1','y':null}}          | {'text':'b','map':{'x':'1'}}
          {'text':'a'}                   | {'text':null}                                  | {}
          {'map':{'a':'1','b':'2'}}      | {'map':{'b':null,'c':'3'}}                     | {'map':{'a':'1','c':'3'}}
          {'map':{'a':'1'}}              | {'map':{'$patch':'replace','z':'9'}}           | {'map':{'z':'9'}}
          {'map':{'a':'1'}}              | {'map':{'$patch':'delete'}}                    | {'map':{}}
          {'text':'a','map':{'a':'1'}}   | {'$patch':'replace','text':'b'}                | {'text':'b'}
          {'map':{'a':'1'}}              | {'map':'text'}                                 | {'map':'text'}
          {'structs':{'a':{'name':'x'}}} | {'structs':{'a':{'value':'y'}}}                | {'structs':{'a':{'name':'x','value':'y'}}}
          {'swap':{'name':'x'}}          | {'swap':{'value':'y'}}                         | {'swap':{'value':'y'}}
          {'choice':{'name':'x','value':'y'}} | {'choice':{'$retainKeys':['name'],'name':'z'}} | {'choice':{'name':'z'}}
          {'choice':{'name':'x','value':'y'}} | {'choice':{'$retainKeys':['name'],'value':null}} | {'choice':{'name':'x'}}
          {}                             | {'map':{'$patch':'delete'}}                    | {}
          {}                             | {'items':[{'name':'a','$patch':'delete'},{'name':'b','image':null}]} | {'items':[{'name':'b'}]}
          """)
  void mergesObjects(String document, String patch, String result) {
    assertThat(apply(document, patch)).isEqualTo(object(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          a b   | {'items':[{'name':'b','image':'2'}]}                                        | a b=2
          a b   | {'items':[{'name':'c','image':'2'}]}                                        | c=2 a b
          a b   | {'items':[{'name':'c'},{'name':'a','image':'2'},{'name':'d'}]}              | c a=2 d b
          a b   | {'items':[{'name':'b','image':'2'},{'name':'a','image':'1'}]}               | b=2 a=1
          a b c | {'items':[{'name':'b','$patch':'delete'}]}                                  | a c
          a b   | {'items':[{'name':'z','$patch':'delete'}]}                                  | a b
          a b   | {'items':[{'name':'a','$patch':'delete'},{'name':'z'}]}                     | z b
          a b   | {'items':[{'name':'c'},{'$patch':'replace'}]}                               | c
          a b   | {'items':[{'$patch':'replace'}]}                                            | ~
          a b   | {'items':null}                                                              | -
          a b   | {'$setElementOrder/items':[{'name':'c'},{'name':'b'},{'name':'a'}],'items':[{'name':'c'}]} | c b a
          a b c | {'$setElementOrder/items':[{'name':'c'},{'name':'a'}]}                      | b c a
          a b   | {'$setElementOrder/items':[{'name':'a'},{'name':'c'}],'items':[{'name':'c','image':'3'},{'$patch':'delete','name':'b'}]} | a c=3
          -     | {'$setElementOrder/items':[{'name':'b'},{'name':'a'}],'items':[{'name':'b'},{'name':'a'}]} | b a
          -     | {'$setElementOrder/items':[{'name':'b'}]}                                   | -
          """)
  void mergesListsByKey(String before, String patch, String after) {
    assertThat(names(apply(document(before).toString(), patch))).isEqualTo(after);
  }

  private static JsonObject document(String names) {
    if (names.equals("-")) {
      return JsonObject.EMPTY;
    }
    var items = new ArrayList<Json>();
    for (var name : names.split(" ")) {
      items.add(JsonObject.of("name", name));
    }
    return JsonObject.of("items", JsonArray.of(items));
  }

  private static String names(JsonObject spec) {
    if (!spec.has("items")) {
      return "-";
    }
    var out = new StringBuilder();
    for (var item : spec.array("items").objects()) {
      out.append(out.isEmpty() ? "" : " ").append(item.string("name"));
      out.append(item.has("image") ? "=" + item.string("image") : "");
    }
    return out.isEmpty() ? "~" : out.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'tags':['a','b']}       | {'tags':['c','a']}                            | {'tags':['c','a','b']}
          {'tags':['a','b']}       | {'tags':['b']}                                | {'tags':['a','b']}
          {'tags':['a','b']}       | {'$deleteFromPrimitiveList/tags':['a','z']}   | {'tags':['b']}
          {'tags':['a']}           | {'$deleteFromPrimitiveList/tags':['a'],'$setElementOrder/tags':['b'],'tags':['b']} | {'tags':['b']}
          {'text':'a'}             | {'$deleteFromPrimitiveList/tags':['a']}       | {'text':'a'}
          {'tags':['a','b','c']}   | {'$setElementOrder/tags':['c','b','a']}       | {'tags':['c','b','a']}
          {'items':[{'name':'a','args':['x','y','x']}]} | {'items':[{'name':'a','args':['z']}]}                              | {'items':[{'name':'a','args':['z']}]}
          {'items':[{'name':'a','args':['x','y','x']}]} | {'items':[{'name':'a','$deleteFromPrimitiveList/args':['x']}]}     | {'items':[{'name':'a','args':['y']}]}
          {'items':[{'name':'a','env':[{'name':'A','value':'1'},{'name':'B','value':'2'}]}]} | {'items':[{'name':'a','env':[{'name':'B','value':'3'},{'name':'C'}]}]} | {'items':[{'name':'a','env':[{'name':'A','value':'1'},{'name':'B','value':'3'},{'name':'C'}]}]}
          {'ports':[{'port':1,'x':1},{'port':1,'x':2}]} | {'ports':[{'port':1,'y':3}]}              | {'ports':[{'port':1,'x':1,'y':3},{'port':1,'x':2}]}
          {'ports':[{'port':1},{'port':2}]}             | {'ports':[{'port':1,'$patch':'delete'}]}  | {'ports':[{'port':2}]}
          {'plain':[{'name':'a'}]}                      | {'plain':[{'name':'b','value':null}]}     | {'plain':[{'name':'b','value':null}]}
          """)
  void mergesOtherListsAsTheirFieldsSay(String document, String patch, String result) {
    assertThat(apply(document, patch)).isEqualTo(object(result));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'map':{}}            | {'map':{'$patch':'merge','b':'2'}}               | unknown patch type: merge in map: map[$patch:merge b:2]
          {'items':[{'name':'a'}]} | {'items':[{'name':'c','$patch':'frob'}]}      | unknown patch type: frob in map: map[$patch:frob name:c]
          {'items':[{'name':'a'}]} | {'items':[{'name':'c','$patch':'merge'}]}     | merging lists cannot yet be specified in the patch
          {'items':[{'name':'a'}]} | {'items':[{'image':'x'}]}                     | map: map[image:x] does not contain declared merge key: name
          {'items':[{'name':'a'}]} | {'items':[{'$patch':'delete'}]}               | map: map[$patch:delete] does not contain declared merge key: name
          {'items':[{'name':'a'}]} | {'items':['b']}                               | list element types are not identical: [[map[name:a]] [b]]
          {'items':[{'name':'a'}]} | {'$setElementOrder/items':'x'}                | expected a []interface {}, but received a string
          {'items':[{'name':'a'}]} | {'$setElementOrderitems':[]}                  | invalid patch format of setElementOrder list
          {'tags':['a']}        | {'$deleteFromPrimitiveListtags':['a']}           | invalid patch format of primitive list
          {'text':'a'}          | {'$setElementOrder/nope':['a']}                  | unable to find api field in struct Spec for the json field "nope"
          {'text':'a'}          | {'$retainKeys':'text'}                           | invalid patch format of retainKeys
          {'text':'a'}          | {'$retainKeys':['text'],'tags':['a']}            | invalid patch format of retainKeys
          {'keyless':[{'name':'a'}]} | {'keyless':[{'name':'b'}]}                  | cannot merge lists without merge key for struct
          """)
  void refusesNonsenseAsBadRequest(String document, String patch, String message) {
    var refusal = catchThrowableOfType(ApiException.class, () -> apply(document, patch));
    assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refusal.text()).isEqualTo(message.replace('\'', '"'));
  }

  @Test
  void refusesAPatchWhoseOrderLeavesOutWhatItAdds() {
    assertThatThrownBy(
            () ->
                apply(
                    "{'items':[{'name':'a'},{'name':'b'}]}",
                    "{'$setElementOrder/items':[{'name':'b'},{'name':'a'}],"
                        + "'items':[{'name':'c','image':'i'}]}"))
        .hasMessage(
            """
            The order in patch list:
            [map[image:i name:c]]
             doesn't match $setElementOrder list:
            [map[name:b] map[name:a]]
            """);
    assertThatThrownBy(
            () -> apply("{'tags':['a']}", "{'$setElementOrder/tags':['a'],'tags':['b']}"))
        .hasMessage("The order in patch list:\n[b]\n doesn't match $setElementOrder list:\n[a]\n");
  }

  @Test
  void keepsTheInstanceWhenNothingChanges() {
    var document =
        JsonObject.of(
            "spec", object("{'items':[{'name':'a','image':'1'}],'tags':['a','b'],'text':'t'}"));
    var patch =
        object("{'spec':{'items':[{'name':'a','image':'1'}],'tags':['b'],'text':'t','map':null}}");
    assertThat(StrategicMerge.apply(ROOT, document, patch)).isSameAs(document);
  }

  @Test
  void readsNullAsAnEmptyPatch() {
    assertThat(StrategicMerge.parse(json("null"))).isEqualTo(JsonObject.EMPTY);
    assertThatThrownBy(() -> StrategicMerge.parse(json("[]")))
        .hasMessage("json: cannot unmarshal array into Go value of type map[string]interface {}");
  }

  @Test
  void timeGrowsWithTheLengthOfLists() {
    CpuTime.assertAtMost(24, longList(5_000), longList(40_000));
  }

  private static Runnable longList(int length) {
    var items = new ArrayList<Json>();
    var order = new ArrayList<Json>();
    for (int i = 0; i < length; i++) {
      items.add(JsonObject.of("name", "n" + i));
      order.addFirst(JsonObject.of("name", "n" + i));
    }
    var document = JsonObject.of("spec", JsonObject.of("items", JsonArray.of(items)));
    var patch =
        JsonObject.of(
            "spec",
            JsonObject.of(
                "$setElementOrder/items", JsonArray.of(order), "items", JsonArray.of(order)));
    return () -> StrategicMerge.apply(ROOT, document, patch);
  }
}
