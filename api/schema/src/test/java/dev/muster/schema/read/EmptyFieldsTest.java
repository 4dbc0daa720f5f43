package dev.muster.schema.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersion;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.wire.Document;
import dev.muster.wire.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is kept of an object though it is empty, and for how long. */
class EmptyFieldsTest {
  private static final StructShape POD =
      Objects.requireNonNull(Schemas.of(GroupVersion.parse("v1").kind("Pod")));

  private static JsonObject json(String text) {
    var bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return (JsonObject) JsonReader.document(bytes).value();
  }

  private static String spec(JsonObject pod) {
    return pod.object("spec").toString().replace('"', '\'');
  }

  private static JsonObject read(EmptyFields kept, String spec) {
    return ObjectForm.of(POD, kept)
        .read(new Document(json("{'metadata':{},'spec':" + spec + "}")), null)
        .object();
  }

  @Test
  void whatIsNotNamedIsReadAsIfItWereLeftOut() {
    assertThat(spec(read(EmptyFields.at("spec.overhead"), "{'volumes':[],'overhead':{}}")))
        .contains("'overhead':{}")
        .doesNotContain("volumes");
    assertThat(spec(read(EmptyFields.NONE, "{'overhead':{}}"))).doesNotContain("overhead");
  }

  @Test
  void pathsLeadThroughLists() {
    var ports = EmptyFields.at("ports", "env").under("spec.containers");
    var pod = read(ports, "{'containers':[{'name':'a','ports':[],'args':[]},{'name':'b'}]}");
    assertThat(spec(pod)).contains("'ports':[]").doesNotContain("args");
  }

  @Test
  void fieldsOfOneNameAreKeptHoweverDeep() {
    var fields =
        EmptyFields.everywhere("matchLabels").under("spec").and(EmptyFields.at("spec.volumes"));
    var pod =
        read(
            fields,
            "{'volumes':[],'tolerations':[],'topologySpreadConstraints':[{'labelSelector':"
                + "{'matchLabels':{},'matchExpressions':[]}}]}");
    assertThat(spec(pod))
        .contains("'matchLabels':{}", "'volumes':[]")
        .doesNotContain("matchExpressions", "tolerations");
  }

  @Test
  void allFieldsAreListsAndMapsAndNoTexts() {
    var pod = read(EmptyFields.ALL.under("spec"), "{'nodeName':'','volumes':[],'nodeSelector':{}}");
    assertThat(spec(pod)).contains("'volumes':[]", "'nodeSelector':{}").doesNotContain("nodeName");
  }

  @Test
  void whatIsKeptIsLeftOutOfTheStoredForm() {
    var form = ObjectForm.of(POD, EmptyFields.ALL.under("spec"));
    var pod =
        read(
            EmptyFields.ALL.under("spec"),
            "{'nodeSelector':{},'affinity':{'nodeAffinity':"
                + "{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[]}}},"
                + "'containers':[{'name':'c','ports':[],'resources':{'limits':{}}}]}");
    var stored = form.normal(pod, null);
    assertThat(spec(stored)).doesNotContain("[]", "limits", "nodeSelector\'");
    assertThat(form.withoutEmpties(pod)).isEqualTo(stored);
    assertThat(form.withoutEmpties(stored)).isSameAs(stored);
    assertThat(form.normalWithEmpties(pod, null)).isEqualTo(pod);
  }

  @Test
  void managedFieldsAreKeptForWhoeverTracksThem() {
    var object = json("{'metadata':{'managedFields':[],'labels':{}}}");
    var form = ObjectForm.of(POD);
    var read = form.read(new Document(object), null).object();
    assertThat(read.object("metadata").keys()).contains("managedFields").doesNotContain("labels");
    assertThat(form.normal(read, null).object("metadata").keys()).doesNotContain("managedFields");
  }
}
