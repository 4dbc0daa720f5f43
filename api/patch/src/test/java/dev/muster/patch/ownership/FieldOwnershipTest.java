package dev.muster.patch.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.patch.edit.Tree;
import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import org.junit.jupiter.api.Test;

/** Creates, updates and patches. */
class FieldOwnershipTest {

  @Test
  void theCreatorOwnsWhatItSet() {
    var maps = Endpoint.configMaps();
    maps.write("maker", "{'metadata':{'labels':{'x':'y'}},'data':{'k':'v'}}");
    assertThat(maps.owners())
        .isEqualTo(
            "maker Update 0 {'f:data':{'.':{},'f:k':{}},"
                + "'f:metadata':{'f:labels':{'.':{},'f:x':{}}}}\n");
  }

  @Test
  void theCreatorDoesNotOwnWhatIsAlwaysWritten() {
    var deployments = new Endpoint("apps/v1", "Deployment", "status");
    deployments.write(
        "maker",
        """
        {'spec':{'selector':{'matchLabels':{'a':'b'}},'strategy':{'rollingUpdate':{'maxSurge':1}},
         'template':{'metadata':{'labels':{'a':'b'}},'spec':{'nodeName':'n','volumes':[{'name':'v','emptyDir':{}}],
          'containers':[{'name':'c','image':'i','ports':[{'containerPort':80,'protocol':'TCP'}]}]}}},
         'status':{'replicas':1}}
        """);
    assertThat(deployments.owners())
        .isEqualTo(
            "maker Update 0 {'f:spec':{'f:selector':{},"
                + "'f:strategy':{'f:rollingUpdate':{'.':{},'f:maxSurge':{}}},"
                + "'f:template':{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},"
                + "'f:spec':{'f:containers':{'k:{`name`:`c`}':{'.':{},'f:image':{},'f:name':{},"
                + "'f:ports':{'.':{},'k:{`containerPort`:80,`protocol`:`TCP`}':{'.':{},"
                + "'f:containerPort':{},'f:protocol':{}}},'f:resources':{}}},"
                + "'f:nodeName':{},"
                + "'f:volumes':{'.':{},'k:{`name`:`v`}':{'.':{},'f:emptyDir':{},'f:name':{}}}"
                + "}}}}\n");
  }

  @Test
  void whoeverChangesAFieldOwnsItAlone() {
    var maps = Endpoint.configMaps();
    maps.write("one", "{'data':{'k':'1','l':'1'}}");
    maps.write("two", "{'data':{'k':'2','l':'1','m':'3'}}");
    assertThat(maps.owners())
        .isEqualTo(
            """
            one Update 0 {'f:data':{'.':{},'f:l':{}}}
            two Update 1 {'f:data':{'f:k':{},'f:m':{}}}
            """);
    maps.write("one", "{'data':{'k':'3','l':'1','m':'3'}}");
    assertThat(maps.owners())
        .isEqualTo(
            """
            two Update 1 {'f:data':{'f:m':{}}}
            one Update 2 {'f:data':{'.':{},'f:k':{},'f:l':{}}}
            """);
  }

  @Test
  void removingAFieldTakesItFromItsOwnerAndMakesNoNewOne() {
    var maps = Endpoint.configMaps();
    maps.write("one", "{'data':{'k':'1'}}");
    maps.write("two", "{'data':{'k':'1','l':'1'}}");
    maps.write("three", "{'data':{'l':'1'}}");
    assertThat(maps.owners())
        .isEqualTo(
            """
            one Update 0 {'f:data':{}}
            two Update 1 {'f:data':{'f:l':{}}}
            """);
    maps.write("three", "{}");
    assertThat(maps.owners()).isEmpty();
    assertThat(maps.live().object("metadata").has("managedFields")).isFalse();
  }

  @Test
  void anUpdateThatChangesNothingKeepsTheInstance() {
    var maps = Endpoint.configMaps();
    var before = maps.write("one", "{'data':{'k':'1'}}");
    var after = maps.write("two", "{'data':{'k':'1'}}");
    assertThat(after).isEqualTo(before);
    assertThat(after.at("metadata", "managedFields"))
        .isSameAs(before.at("metadata", "managedFields"));
  }

  @Test
  void listMembersAreOwnedByTheirKeys() {
    var pods = new Endpoint("v1", "Pod", "status");
    pods.write(
        "one",
        """
        {'metadata':{'finalizers':['f/a'],'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n','uid':'U'}]},
         'spec':{'containers':[{'name':'c','env':[{'name':'A','value':'1'},{'name':'B','value':'2'}]}],
          'tolerations':[{'key':'k'}],'hostAliases':[{'ip':'::1','hostnames':['h']}]}}
        """);
    pods.write(
        "two",
        """
        {'metadata':{'finalizers':['f/a','f/b'],'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'m','uid':'U'}]},
         'spec':{'containers':[{'name':'c','env':[{'name':'B','value':'3'},{'name':'C','value':'2'}]}],
          'tolerations':[{'key':'l'}],'hostAliases':[{'ip':'::1','hostnames':['h','i']}]}}
        """);
    assertThat(pods.owners())
        .isEqualTo(
            "one Update 0 {'f:metadata':{'f:finalizers':{'.':{},'v:`f/a`':{}},"
                + "'f:ownerReferences':{}},"
                + "'f:spec':{'f:containers':{'k:{`name`:`c`}':{'.':{},"
                + "'f:env':{'.':{},'k:{`name`:`B`}':{'.':{},'f:name':{}}},"
                + "'f:name':{},'f:resources':{}}},"
                + "'f:hostAliases':{'.':{},'k:{`ip`:`::1`}':{'.':{},'f:ip':{}}}}}\n"
                + "two Update 1 {'f:metadata':{'f:finalizers':{'v:`f/b`':{}},"
                + "'f:ownerReferences':{'k:{`uid`:`U`}':{}}},"
                + "'f:spec':{'f:containers':{'k:{`name`:`c`}':{'f:env':{"
                + "'k:{`name`:`B`}':{'f:value':{}},"
                + "'k:{`name`:`C`}':{'.':{},'f:name':{},'f:value':{}}}}},"
                + "'f:hostAliases':{'k:{`ip`:`::1`}':{'f:hostnames':{}}},"
                + "'f:tolerations':{}}}\n");
  }

  @Test
  void repeatedListMembersAreOwnedAsOne() {
    var pods = new Endpoint("v1", "Pod");
    pods.write("one", "{'spec':{'containers':[{'name':'c','env':[{'name':'A'},{'name':'A'}]}]}}");
    assertThat(pods.owners()).contains("'f:env':{'.':{},'k:{`name`:`A`}':{}}");
    pods.write("two", "{'spec':{'containers':[{'name':'c','env':[{'name':'A','value':'1'}]}]}}");
    assertThat(pods.owners())
        .contains("two Update 1", "'k:{`name`:`A`}':{'.':{},'f:name':{},'f:value':{}}");
  }

  @Test
  void fieldsThatTheResourceResetsBelongToNobody() {
    var pods = new Endpoint("v1", "Pod", "", FieldFilter.without(FieldSet.of("status")));
    pods.write("one", "{'spec':{'nodeName':'n'},'status':{'phase':'Running'}}");
    assertThat(pods.owners()).isEqualTo("one Update 0 {'f:spec':{'f:nodeName':{}}}\n");
  }

  @Test
  void anEmptyListOrAnEmptyEntryResets() {
    for (var reset : new String[] {"[]", "[{}]"}) {
      var maps = Endpoint.configMaps();
      maps.write("one", "{'data':{'k':'1'}}");
      maps.write(
          "two", maps.object("{'data':{'k':'2'},'metadata':{'managedFields':" + reset + "}}"));
      assertThat(maps.owners()).isEmpty();
      maps.write("two", "{'data':{'k':'3'}}");
      assertThat(maps.owners()).isEmpty();
    }
  }

  @Test
  void managedFieldsOfAClientCountWhenTheyMakeSense() {
    var maps = Endpoint.configMaps();
    maps.write("one", "{'data':{'k':'1'}}");
    maps.write(
        "two",
        maps.object(
            """
            {'data':{'k':'1'},'metadata':{'managedFields':[
              {'manager':'x','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV1','time':'1970-01-01T01:00:09+01:00',
               'fieldsV1':{'f:data':{'f:z':{},'f:k':{},'.':{}}}}]}}
            """));
    assertThat(maps.owners()).isEqualTo("x Apply 9 {'f:data':{'.':{},'f:k':{},'f:z':{}}}\n");
    var kept = maps.owners();
    for (var nonsense :
        new String[] {
          "{'manager':'y'}",
          "{'manager':'y','operation':'Apply','apiVersion':'v1'}",
          "{'manager':'y','operation':'Apply','fieldsType':'FieldsV1'}",
          "{'manager':'y','operation':'Create','apiVersion':'v1','fieldsType':'FieldsV1'}",
          "{'manager':'y','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV2'}",
          "{'manager':'y','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'x':{}}}",
          "{'manager':'y','operation':'Apply','apiVersion':'v1','fieldsType':'FieldsV1','time':'x'}"
        }) {
      maps.write(
          "two", maps.object("{'data':{'k':'1'},'metadata':{'managedFields':[" + nonsense + "]}}"));
      assertThat(maps.owners()).isEqualTo(kept);
    }
  }

  @Test
  void entriesOfAClientWithoutFieldsAreDropped() {
    for (var none : new String[] {"", ",'fieldsV1':null", ",'fieldsV1':{}"}) {
      var maps = Endpoint.configMaps();
      maps.write("one", "{'data':{'k':'1'}}");
      var entry = "{'manager':'x','operation':'Update','apiVersion':'v1','fieldsType':'FieldsV1'";
      maps.write(
          "two",
          maps.object("{'data':{'k':'1'},'metadata':{'managedFields':[" + entry + none + "}]}}"));
      assertThat(maps.owners()).isEmpty();
    }
  }

  @Test
  void membersThatCannotBeToldApartForgetAllOwners() {
    var accounts = new Endpoint("v1", "ServiceAccount");
    accounts.write("one", "{'secrets':[{'name':'a'}]}");
    accounts.write("two", "{'secrets':[{'name':'a'},{'uid':'u'}]}");
    assertThat(accounts.owners()).isEmpty();
    assertThatThrownBy(() -> accounts.apply("three", "{'metadata':{'labels':{'a':'b'}}}"))
        .hasMessageContaining(
            "failed to create manager for existing fields: failed to convert new object (/a; /v1,"
                + " Kind=ServiceAccount) to smd typed: .secrets: element 1: associative list with"
                + " keys has an element that omits all key fields [\"name\"]");
  }

  @Test
  void aVersionThatIsNoneForgetsAllOwners() {
    var maps = Endpoint.configMaps();
    maps.write("one", "{'data':{'k':'1'}}");
    maps.write(
        "two",
        maps.object(
            """
            {'data':{'k':'2'},'metadata':{'managedFields':[{'manager':'x','operation':'Update',
              'apiVersion':'a/b/c','fieldsType':'FieldsV1','fieldsV1':{'f:data':{'f:k':{}}}}]}}
            """));
    assertThat(maps.owners()).isEmpty();
  }

  @Test
  void kindAndVersionAreNoChangeOfANewObject() {
    var maps = Endpoint.configMaps();
    maps.write(
        "two",
        maps.object(
            """
            {'metadata':{'managedFields':[{'manager':'x','operation':'Update',
              'apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'f:apiVersion':{},'f:kind':{}}}]}}
            """));
    assertThat(maps.owners()).isEqualTo("x Update - {'f:apiVersion':{},'f:kind':{}}\n");
  }

  @Test
  void managedFieldsOfANewObjectYieldToItsCreator() {
    var maps = Endpoint.configMaps();
    maps.write(
        "two",
        maps.object(
            """
            {'data':{'k':'1'},'metadata':{'managedFields':[{'manager':'x','operation':'Apply',
              'apiVersion':'v1','fieldsType':'FieldsV1','fieldsV1':{'f:data':{'f:k':{}}}}]}}
            """));
    assertThat(maps.owners()).isEqualTo("two Update 0 {'f:data':{'.':{},'f:k':{}}}\n");
  }

  @Test
  void aSubresourceCannotSetManagedFields() {
    var pods = new Endpoint("v1", "Pod", "status", FieldFilter.without(FieldSet.of("spec")));
    pods.live =
        new Endpoint("v1", "Pod", "status")
            .write("one", "{'spec':{'nodeName':'n'}}")
            .withAt(Json.of("u"), "metadata", "uid");
    var sent = pods.live().withAt(JsonArray.EMPTY, "metadata", "managedFields");
    pods.write("two", sent.with("status", JsonObject.of("phase", "Running")));
    assertThat(pods.owners())
        .isEqualTo(
            """
            one Update 0 {'f:spec':{'f:nodeName':{}}}
            two Update/status 0 {'f:status':{'f:phase':{}}}
            """);
  }

  @Test
  void theOldestUpdatesAreMergedWhenThereAreManyManagers() {
    var maps = Endpoint.configMaps();
    var data = JsonObject.EMPTY;
    for (int i = 0; i < 14; i++) {
      data = data.with("k" + (char) ('a' + i), "v");
      maps.write("m" + (char) ('a' + i), "{'data':" + data.toString().replace('"', '\'') + "}");
    }
    assertThat(maps.owners())
        .startsWith(
            """
            ancient-changes Update 4 {'f:data':{'.':{},'f:ka':{},'f:kb':{},'f:kc':{},'f:kd':{},'f:ke':{}}}
            mf Update 5 {'f:data':{'f:kf':{}}}
            """);
    assertThat(maps.owners().lines()).hasSize(10);
  }

  @Test
  void aManagerWithoutNameIsUnknown() {
    var maps = Endpoint.configMaps();
    maps.write("", "{'data':{'k':'1'}}");
    assertThat(maps.owners()).startsWith("unknown Update");
  }

  @Test
  void entriesOfVersionsThatDoNotExistAreDropped() {
    var maps = Endpoint.configMaps();
    maps.write("one", "{'data':{'k':'1'}}");
    var old =
        Tree.object(
            "{'manager':'o','operation':'Update','apiVersion':'v0','fieldsType':'FieldsV1',"
                + "'fieldsV1':{'f:data':{'f:k':{}}}}");
    maps.live =
        maps.live()
            .withAt(
                maps.live().object("metadata").array("managedFields").plus(old),
                "metadata",
                "managedFields");
    maps.write("one", "{'data':{'k':'1'}}");
    assertThat(maps.owners()).isEqualTo("one Update 0 {'f:data':{'.':{},'f:k':{}}}\n");
  }

  @Test
  void timesThatAreTheOnlyDifferenceAreTakenBack() {
    var live =
        Tree.object(
            "{'metadata':{'name':'a','managedFields':[{'manager':'x','time':'1'}]},'data':{'k':'v'}}");
    var touched =
        Tree.object(
            "{'metadata':{'name':'a','managedFields':[{'manager':'x','time':'2'}]},'data':{'k':'v'}}");
    assertThat(FieldOwnership.withoutIdleTimes(live, touched)).isEqualTo(live);
    var changed = touched.withAt(Json.of("w"), "data", "k");
    assertThat(FieldOwnership.withoutIdleTimes(live, changed)).isSameAs(changed);
    var taken =
        touched.withAt(Tree.array("[{'manager':'y','time':'2'}]"), "metadata", "managedFields");
    assertThat(FieldOwnership.withoutIdleTimes(live, taken)).isSameAs(taken);
  }

  @Test
  void nobodyOwnsAnythingOnceAMemberHasNoKey() {
    var accounts = new Endpoint("v1", "ServiceAccount");
    accounts.write("one", "{'secrets':[{'name':'a'}]}");
    assertThat(accounts.owners()).isNotEmpty();
    accounts.write("two", "{'secrets':[{'name':'a'},{'namespace':'b'}]}");
    assertThat(accounts.owners()).isEmpty();
  }
}
