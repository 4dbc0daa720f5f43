package dev.muster.patch.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.model.status.StatusDetails.Cause;
import dev.muster.patch.edit.Tree;
import dev.muster.patch.ownership.fields.FieldFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server-side apply, apart from lists. */
class ApplyTest {
  private final Endpoint maps = Endpoint.configMaps();

  private static JsonObject data(JsonObject object) {
    return object.object("data");
  }

  @Test
  void createsWhatIsNotThere() {
    var created = maps.apply("one", "{'data':{'k':'v'},'metadata':{'creationTimestamp':null}}");
    assertThat(data(created)).isEqualTo(Tree.object("{'k':'v'}"));
    assertThat(maps.owners()).isEqualTo("one Apply 0 {'f:data':{'f:k':{}}}\n");
  }

  @Test
  void ownsNothingByNamingTheObject() {
    maps.apply("one", "{'metadata':{'managedFields':null,'uid':'u','resourceVersion':'1'}}");
    assertThat(maps.owners()).isEmpty();
  }

  @Test
  void keepsEverythingWhenNothingChanges() {
    maps.apply("one", "{'data':{'k':'v'}}");
    var live = maps.live();
    var result = maps.result("one", maps.object("{'data':{'k':'v'}}"));
    assertThat(result.unchanged()).isTrue();
    assertThat(result.object()).isEqualTo(live);
  }

  @Test
  void sharesAFieldWithWhoeverAppliesTheSame() {
    maps.apply("one", "{'data':{'k':'v'}}");
    maps.apply("two", "{'data':{'k':'v'}}");
    assertThat(maps.owners())
        .isEqualTo(
            """
            two Apply - {'f:data':{'f:k':{}}}
            one Apply 0 {'f:data':{'f:k':{}}}
            """);
    assertThat(data(maps.apply("one", "{}"))).isEqualTo(Tree.object("{'k':'v'}"));
    assertThat(data(maps.apply("two", "{}"))).isEqualTo(JsonObject.EMPTY);
    assertThat(maps.owners()).isEmpty();
  }

  @Test
  void refusesToChangeWhatAnotherApplierOwns() {
    maps.apply("one", "{'data':{'k':'v'}}");
    var conflict = conflict("two", "{'data':{'k':'w'}}");
    assertThat(conflict.text())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.k");
    assertThat(conflict.details().causes())
        .containsExactly(new Cause("FieldManagerConflict", "conflict with \"one\"", ".data.k"));
  }

  @Test
  void namesUpdatersWithTheirVersionAndSubresource() {
    maps.write("writer", "{'data':{'k':'v'}}");
    assertThat(conflict("one", "{'data':{'k':'w'}}").text())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"writer\" using v1: .data.k");
    var pods = new Endpoint("v1", "Pod", "status", FieldFilter.NONE);
    pods.write("kubelet", "{'status':{'phase':'Running'}}");
    var conflict =
        catchThrowableOfType(
            ApiException.class, () -> pods.apply("one", "{'status':{'phase':'Failed'}}"));
    assertThat(conflict.text())
        .isEqualTo(
            "Apply failed with 1 conflict: conflict with \"kubelet\" with subresource \"status\""
                + " using v1: .status.phase");
  }

  @Test
  void listsConflictsByManager() {
    maps.apply("one", "{'data':{'k':'1','l':'1'}}");
    maps.apply("two", "{'data':{'m':'1'}}");
    var conflict = conflict("zed", "{'data':{'k':'9','l':'9','m':'9'}}");
    assertThat(conflict.text())
        .isEqualTo(
            """
            Apply failed with 3 conflicts: conflicts with "one":
            - .data.k
            - .data.l
            conflicts with "two":
            - .data.m\
            """);
    assertThat(conflict.details().causes()).hasSize(3);
  }

  private ApiException conflict(String manager, String members) {
    var before = maps.live;
    var conflict = catchThrowableOfType(ApiException.class, () -> maps.apply(manager, members));
    assertThat(conflict.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(maps.live).isSameAs(before);
    return conflict;
  }

  @Test
  void takesFieldsByForce() {
    maps.apply("one", "{'data':{'k':'1','l':'1'}}");
    assertThat(data(maps.force("two", "{'data':{'k':'2'}}")))
        .isEqualTo(Tree.object("{'k':'2','l':'1'}"));
    assertThat(maps.owners())
        .isEqualTo(
            """
            one Apply 0 {'f:data':{'f:l':{}}}
            two Apply 1 {'f:data':{'f:k':{}}}
            """);
  }

  @Test
  void removesWhatItAppliedBeforeAndNobodyElseOwns() {
    maps.apply("one", "{'data':{'k':'1','l':'1'},'metadata':{'labels':{'x':'y'}}}");
    maps.apply("two", "{'data':{'l':'1'}}");
    maps.write("three", withData(maps, "z", "1"));
    var after = maps.apply("one", "{'data':{'m':'1'}}");
    assertThat(data(after)).isEqualTo(Tree.object("{'l':'1','z':'1','m':'1'}"));
    assertThat(after.object("metadata").has("labels")).isFalse();
    assertThat(maps.owners())
        .isEqualTo(
            """
            two Apply - {'f:data':{'f:l':{}}}
            one Apply 3 {'f:data':{'f:m':{}}}
            three Update 2 {'f:data':{'f:z':{}}}
            """);
  }

  private static JsonObject withData(Endpoint maps, String key, String value) {
    var live = maps.live();
    return live.with("data", live.object("data").with(key, value));
  }

  @Test
  void anUpdateTakesAFieldFromItsApplierAndConflictsWithItLater() {
    maps.apply("one", "{'data':{'k':'1'}}");
    maps.write("one", withData(maps, "k", "2"));
    assertThat(maps.owners()).isEqualTo("one Update 1 {'f:data':{'f:k':{}}}\n");
    assertThat(conflict("one", "{'data':{'k':'3'}}").text())
        .isEqualTo("Apply failed with 1 conflict: conflict with \"one\" using v1: .data.k");
    maps.apply("one", "{'data':{'k':'2'}}");
    assertThat(maps.owners())
        .isEqualTo(
            """
            one Apply - {'f:data':{'f:k':{}}}
            one Update 1 {'f:data':{'f:k':{}}}
            """);
  }

  @Test
  void ownsWhatItSetsToNullAndRemovesIt() {
    maps.apply("one", "{'data':{'k':null,'l':'1'}}");
    assertThat(maps.owners()).isEqualTo("one Apply 0 {'f:data':{'f:k':{},'f:l':{}}}\n");
    var after = maps.apply("one", "{'data':null}");
    assertThat(after.has("data")).isFalse();
    assertThat(maps.owners()).isEqualTo("one Apply 1 {'f:data':{}}\n");
  }

  @Test
  void recordsWhatWasThereBeforeTheFirstApply() {
    maps.write("one", "{'data':{'k':'v','x':'y'}}");
    maps.write("one", maps.object("{'data':{'k':'v','x':'y'},'metadata':{'managedFields':[]}}"));
    maps.apply("two", "{'data':{'k':'v'}}");
    assertThat(maps.owners())
        .isEqualTo(
            """
            two Apply - {'f:data':{'f:k':{}}}
            before-first-apply Update 2 {'f:data':{'.':{},'f:k':{},'f:x':{}}}
            """);
  }

  @Test
  void doesNotOwnWhatTheResourceResets() {
    var deployments = new Endpoint("apps/v1", "Deployment", "status");
    deployments.apply("one", "{'spec':{'replicas':1},'status':{'replicas':2}}");
    assertThat(deployments.owners()).isEqualTo("one Apply 0 {'f:spec':{'f:replicas':{}}}\n");
  }

  @Test
  void takesAtomicMapsAsOne() {
    var services = new Endpoint("v1", "Service", "status");
    services.apply("one", "{'spec':{'selector':{'x':'1'}}}");
    assertThatThrownBy(() -> services.apply("two", "{'spec':{'selector':{'y':'2'}}}"))
        .hasMessage("Apply failed with 1 conflict: conflict with \"one\": .spec.selector");
    var after = services.force("two", "{'spec':{'selector':{'y':'2'}}}");
    assertThat(after.at("spec", "selector")).isEqualTo(Tree.object("{'y':'2'}"));
    assertThat(services.owners()).isEqualTo("two Apply 2 {'f:spec':{'f:selector':{}}}\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          {'kind':'Secret'}                    | invalid object type: /v1, Kind=Secret
          {'apiVersion':'v2'}                  | invalid object type: /v2, Kind=ConfigMap
          {'apiVersion':'a/b/c'}               | invalid object type: /, Kind=
          {'metadata':{'managedFields':[]}}    | metadata.managedFields must be nil
          {'data':{'k':1}}                     | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.k: expected string, got 1
          {'data':'x'}                         | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data: expected map, got x
          {'immutable':'x'}                    | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .immutable: expected boolean, got x
          {'metadata':{'generation':'x'}}      | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.generation: expected numeric (int or float), got string
          {'metadata':{'finalizers':'x'}}      | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.finalizers: expected list, got x
          {'metadata':{'deletionTimestamp':{}}}| failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.deletionTimestamp: expected any scalar, got map[]
          {'metadata':{'namespace':'n','x':1}} | failed to create typed patch object (n/a; /v1, Kind=ConfigMap): .metadata.x: field not declared in schema
          """)
  void refusesWhatIsNotOfItsKind(String members, String message) {
    assertThatThrownBy(() -> maps.apply("one", members))
        .isInstanceOfSatisfying(
            ApiException.class,
            refusal -> assertThat(refusal.reason()).isEqualTo(Reason.BAD_REQUEST))
        .hasMessage(message);
  }

  @Test
  void namesAllFieldsThatAreWrong() {
    assertThatThrownBy(() -> maps.apply("one", "{'data':{'k':1},'immutable':1}"))
        .hasMessage(
            """
            failed to create typed patch object (/a; /v1, Kind=ConfigMap): errors:
              .data.k: expected string, got 1
              .immutable: expected boolean, got 1\
            """);
  }
}
