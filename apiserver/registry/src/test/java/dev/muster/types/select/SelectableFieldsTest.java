package dev.muster.types.select;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.GroupKind;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.FieldSelector;
import dev.muster.types.BuiltIns;
import dev.muster.types.ServedType;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectableFieldsTest {
  private static SelectableFields of(String group, String kind) {
    return BuiltIns.TYPES.all().stream()
        .filter(type -> type.groupKind().equals(new GroupKind(group, kind)))
        .findFirst()
        .map(ServedType::selectableFields)
        .orElse(SelectableFields.PLAIN);
  }

  private static boolean matches(SelectableFields fields, String selector, JsonObject object) {
    return fields.matches(fields.checked(FieldSelector.parse(selector)), object);
  }

  @Test
  void everyResourceKnowsNameAndNamespace() {
    var object = JsonObject.of("metadata", JsonObject.of("name", "pear", "namespace", "shop"));
    assertThat(matches(of("", "ConfigMap"), "metadata.name=pear", object)).isTrue();
    assertThat(matches(of("x", "Y"), "metadata.namespace!=shop", object)).isFalse();
  }

  @Test
  void podsCanBeChosenByWhereTheyRun() {
    var pod =
        JsonObject.of(
            "spec",
            JsonObject.of("nodeName", "n1", "hostNetwork", true),
            "status",
            JsonObject.of(
                "phase", "Running", "podIPs", JsonArray.of(JsonObject.of("ip", "1.2.3.4"))));
    var pods = of("", "Pod");
    assertThat(matches(pods, "spec.nodeName=n1,status.phase=Running", pod)).isTrue();
    assertThat(matches(pods, "spec.host=n1", pod)).isTrue();
    assertThat(matches(pods, "status.podIP=1.2.3.4,spec.hostNetwork=true", pod)).isTrue();
    assertThat(matches(pods, "status.podIPs=1.2.3.4", pod)).isFalse();
    assertThat(matches(pods, "spec.hostNetwork=false", JsonObject.EMPTY)).isTrue();
  }

  @Test
  void eventsOfBothGroupsCanBeChosenByWhatTheyAreAbout() {
    var event =
        JsonObject.of(
            "involvedObject",
            JsonObject.of("name", "p", "kind", "Pod"),
            "reportingComponent",
            "kubelet");
    assertThat(matches(of("", "Event"), "involvedObject.name=p,source=kubelet", event)).isTrue();
    assertThat(
            matches(
                of("events.k8s.io", "Event"),
                "regarding.kind=Pod,reportingController=kubelet",
                event))
        .isTrue();
  }

  @Test
  void numbersAndFlagsThatAreAbsentCountAsZeroAndFalse() {
    assertThat(matches(of("batch", "Job"), "status.successful=0", JsonObject.EMPTY)).isTrue();
    assertThat(matches(of("", "Node"), "spec.unschedulable=false", JsonObject.EMPTY)).isTrue();
  }

  @Test
  void unknownFieldsAreRefusedInTheWordsOfEachResource() {
    assertRefused(
        of("", "ConfigMap"),
        "\"data\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
    assertRefused(of("", "Secret"), "field label not supported: data");
    assertRefused(of("batch", "Job"), "field label \"data\" not supported for Job");
    assertRefused(
        of("resource.k8s.io", "ResourceSlice"),
        "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: data");
    assertRefused(SelectableFields.custom(List.of(), true), "field label not supported: data");
  }

  private static void assertRefused(SelectableFields fields, String message) {
    assertThatThrownBy(() -> fields.checked(FieldSelector.parse("data=1"))).hasMessage(message);
  }

  @Test
  void customResourcesNameTheirOwnFields() {
    var fields = SelectableFields.custom(List.of(".spec.color", ".spec.count"), true);
    var object = JsonObject.of("spec", JsonObject.of("color", "red", "count", 3));
    assertThat(matches(fields, "spec.color=red,spec.count=3", object)).isTrue();
  }
}
