package dev.muster.registry.custom;

import static dev.muster.registry.custom.DefinedWidgets.json;
import static dev.muster.registry.custom.DefinedWidgets.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.wire.DecodeException;
import dev.muster.wire.Document;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How objects of a custom resource are read. */
class CustomFormTest {
  private static final String SCHEMA =
      """
      {'type':'object','properties':{'spec':{'type':'object','properties':{
        'size':{'type':'integer','default':3},
        'color':{'type':'string','nullable':true,'default':'red'},
        'parts':{'type':'array','items':{'type':'object','properties':{
          'name':{'type':'string','default':'part'}}}},
        'free':{'type':'object','x-kubernetes-preserve-unknown-fields':true},
        'none':{'type':'array','items':{'type':'string'},'default':[]},
        'job':{'type':'object','x-kubernetes-embedded-resource':true,'properties':{
          'metadata':{'type':'object','properties':{
            'name':{'type':'string','default':'bar'},
            'unknown':{'type':'string','default':'unknown'}}}}},
        'pod':{'type':'object','x-kubernetes-embedded-resource':true,
          'x-kubernetes-preserve-unknown-fields':true}}}}}
      """;

  private final DefinedWidgets defined =
      new DefinedWidgets(WebhookConversion.UNAVAILABLE).define(version("v1", true, SCHEMA));
  private final CustomForm form = defined.form("v1");

  @AfterEach
  void close() {
    defined.close();
  }

  private String read(String spec, List<String> unknown) {
    var object =
        json("{'kind':'Widget','spec':" + spec + ",'apiVersion':'example.com/v1','more':1}");
    return form.coerced(object, false, unknown::add).object("spec").toString().replace('"', '\'');
  }

  @Test
  void whatTheSchemaDoesNotKnowIsTakenAwayAndTold() {
    var unknown = new ArrayList<String>();
    assertThat(read("{'size':1,'x':2,'parts':[{'y':3}],'free':{'z':4}}", unknown))
        .isEqualTo("{'size':1,'parts':[{}],'free':{'z':4}}");
    assertThat(unknown).containsExactly("more", "spec.parts[0].y", "spec.x");
  }

  @Test
  void metadataTakesOfItsDefaultsWhatItKnows() {
    var filled = form.filled(json("{'spec':{'job':{'metadata':{}}}}"));
    assertThat(filled.object("spec", "job")).isEqualTo(json("{'metadata':{'name':'bar'}}"));
  }

  @Test
  void defaultsAreFilledInWhereSomethingIsMissing() {
    var filled = form.filled(json("{'spec':{'parts':[{},{'name':'a'}],'color':null}}"));
    assertThat(filled.object("spec").toString().replace('"', '\''))
        .isEqualTo("{'parts':[{'name':'part'},{'name':'a'}],'color':null,'size':3,'none':[]}");
    assertThat(form.filled(json("{}"))).as("nothing is made for a default").isEqualTo(json("{}"));
  }

  @Test
  void managedFieldsThatAreTakenAwayAreReadAndNotStored() {
    var sent = json("{'kind':'Widget','metadata':{'managedFields':[],'labels':{}}}");
    var read = form.read(new Document(sent), null).object();
    assertThat(read.object("metadata").has("managedFields")).isTrue();
    assertThat(read.object("metadata").has("labels")).isFalse();
    assertThat(form.normal(read, null).object("metadata").has("managedFields")).isFalse();
  }

  @Test
  void nullsGoWhereTheyAreNotAllowedSoThatDefaultsComeInstead() {
    var object = json("{'spec':{'size':null,'color':null}}");
    var filled = form.filled(form.coerced(object, false, path -> {}));
    assertThat(filled.object("spec")).isEqualTo(json("{'color':null,'size':3,'none':[]}"));
  }

  @Test
  void whatItIsStandsFirst() {
    var normal =
        form.normal(
            json("{'spec':{},'metadata':{'name':'a'},'kind':'Widget','apiVersion':'x/v1'}"), null);
    assertThat(normal.keys()).containsExactly("apiVersion", "kind", "metadata", "spec");
    assertThat(form.normal(normal, null)).isSameAs(normal);
  }

  @Test
  void metadataIsReadAsThatOfAllObjects() {
    var strange = json("{'metadata':{'name':'a','labels':{'b':5},'odd':1},'spec':{}}");
    assertThatThrownBy(() -> form.coerced(strange, false, path -> {}))
        .isInstanceOf(DecodeException.class);
    var unknown = new ArrayList<String>();
    assertThat(form.coerced(strange, true, unknown::add).object("metadata"))
        .as("of an object in the store")
        .isEqualTo(json("{'name':'a'}"));
    assertThat(unknown).contains("metadata.odd");
  }

  @Test
  void metadataOfObjectsWithinIsReadToo() {
    var unknown = new ArrayList<String>();
    var pod = "{'pod':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','odd':1},'any':1}}";
    assertThat(read(pod, unknown))
        .isEqualTo("{'pod':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'any':1}}");
    assertThat(unknown).contains("spec.pod.metadata.odd");
    assertThatThrownBy(() -> read("{'pod':{'kind':5}}", new ArrayList<>()))
        .hasMessageContaining("spec.pod.kind: Invalid value: 5: must be a string");
  }

  @Test
  void complaintsNameUnknownFields() {
    var document = new Document(json("{'apiVersion':'example.com/v1','kind':'Widget','more':1}"));
    assertThat(form.read(document, null).complaints()).containsExactly("unknown field \"more\"");
  }

  @Test
  void aNumberThatNobodyCouldReadAgainIsRefused() {
    var sent =
        json("{'apiVersion':'example.com/v1','kind':'Widget','spec':{'free':{'a':[1e400]}}}");
    assertThatThrownBy(() -> form.read(new Document(sent), null))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("json: cannot unmarshal number 1e400 into Go value of type float64");
  }
}
