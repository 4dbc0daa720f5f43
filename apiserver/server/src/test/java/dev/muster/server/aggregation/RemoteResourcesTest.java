package dev.muster.server.aggregation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.JsonObject;
import dev.muster.server.proxy.BackendException;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RemoteResourcesTest {
  private static JsonObject object(String json) {
    return (JsonObject) JsonReader.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void subresourcesOfAListGoBelowTheirParents() throws Exception {
    var resources =
        RemoteResources.ofList(
            object(
                """
                {'kind':'APIResourceList','resources':[
                  {'name':'things','singularName':'thing','namespaced':true,'kind':'Thing',
                   'verbs':['get'],'shortNames':['th'],'unknown':1},
                  {'name':'things/scale','namespaced':true,'group':'autoscaling','version':'v1',
                   'kind':'Scale','verbs':['get']},
                  {'name':'lonely/status','namespaced':false,'kind':'Lonely','verbs':['patch']}]}
                """));
    assertThat(JsonObject.of("resources", resources))
        .isEqualTo(
            object(
                """
                {'resources':[
                  {'resource':'things','responseKind':{'group':'','version':'','kind':'Thing'},
                   'scope':'Namespaced','singularResource':'thing','verbs':['get'],
                   'shortNames':['th'],
                   'subresources':[{'subresource':'scale',
                     'responseKind':{'group':'autoscaling','version':'v1','kind':'Scale'},
                     'verbs':['get']}]},
                  {'resource':'lonely','responseKind':{'group':'','version':'','kind':''},
                   'scope':'Cluster','singularResource':'','verbs':[],
                   'subresources':[{'subresource':'status',
                     'responseKind':{'group':'','version':'','kind':'Lonely'},
                     'verbs':['patch']}]}]}
                """));
  }

  @Test
  void whatIsNoListOrContradictsItselfIsRefused() {
    assertThatThrownBy(() -> RemoteResources.ofList(object("{'kind':'Status'}")))
        .isInstanceOf(BackendException.class);
    assertThatThrownBy(
            () ->
                RemoteResources.ofList(
                    object(
                        """
                        {'kind':'APIResourceList','resources':[
                          {'name':'a','namespaced':true},{'name':'a/b','namespaced':false}]}
                        """)))
        .isInstanceOf(BackendException.class);
  }

  @Test
  void ofAWholeDocumentOnlyTheVersionIsTaken() {
    var list =
        object(
            """
            {'items':[{'metadata':{'name':'g'},'versions':[
              {'version':'v1','resources':[{'resource':'a','scope':'Namespaced','verbs':['get'],
                'subresources':[{'subresource':'s','verbs':[]}]}]},
              {'version':'v2','resources':[{'resource':'b'}]}]}]}
            """);
    var resources = RemoteResources.ofAggregated(list, "g", "v1");
    assertThat(resources.size()).isEqualTo(1);
    assertThat(resources.object(0).object("responseKind").keys())
        .containsExactly("group", "version", "kind");
    assertThat(RemoteResources.ofAggregated(list, "g", "v3").isEmpty()).isTrue();
    assertThat(RemoteResources.ofAggregated(list, "other", "v1").isEmpty()).isTrue();
  }
}
