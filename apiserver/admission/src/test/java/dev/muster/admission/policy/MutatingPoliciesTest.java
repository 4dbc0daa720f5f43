package dev.muster.admission.policy;

import static dev.muster.admission.policy.Policies.CONFIG_MAPS;
import static dev.muster.admission.policy.Policies.apply;
import static dev.muster.admission.policy.Policies.configMap;
import static dev.muster.admission.policy.Policies.json;
import static dev.muster.admission.policy.Policies.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import org.junit.jupiter.api.Test;

class MutatingPoliciesTest {
  private final Policies policies = new Policies();

  private JsonObject data(String data) {
    return policies
        .mutating
        .admit(policies.requests.create(CONFIG_MAPS, configMap("c", data)))
        .object("data");
  }

  private ApiException refusal(String data) {
    return catchThrowableOfType(ApiException.class, () -> data(data));
  }

  @Test
  void anApplyConfigurationIsMerged() {
    policies.mutating("p", "Never", apply("Object{data: {\\\"b\\\": \\\"2\\\"}}"));
    assertThat(data("{'a':'1'}")).isEqualTo(json("{'a':'1','b':'2'}"));
  }

  @Test
  void whatIsNotChangedStaysTheSameInstance() {
    policies.mutating("p", "Never", apply("Object{data: {\\\"a\\\": \\\"1\\\"}}"));
    var object = configMap("c", "{'a':'1'}");
    assertThat(policies.mutating.admit(policies.requests.create(CONFIG_MAPS, object)))
        .isSameAs(object);
  }

  @Test
  void aPatchWhoseTestFailsIsNotForThisObject() {
    policies.mutating(
        "p",
        "Never",
        patch(
            "[JSONPatch{op: \\\"test\\\", path: \\\"/data/a\\\", value: \\\"2\\\"},"
                + " JSONPatch{op: \\\"add\\\", path: \\\"/data/b\\\", value: \\\"3\\\"}]"));
    assertThat(data("{'a':'1'}")).isEqualTo(json("{'a':'1'}"));
    assertThat(data("{'a':'2'}")).isEqualTo(json("{'a':'2','b':'3'}"));
  }

  @Test
  void aTestInAPlaceThatIsNotThereRefuses() {
    policies.mutating(
        "p",
        "Never",
        patch("[JSONPatch{op: \\\"test\\\", path: \\\"/binaryData/a\\\", value: \\\"2\\\"}]"));
    assertThat(refusal("{'a':'1'}").text())
        .isEqualTo(
            "policy 'p' with binding 'p' denied request: JSON Patch: test operation does not apply:"
                + " is missing path: /binaryData/a: missing value");
  }

  @Test
  void aTestLooksAtWhatWasAddedBefore() {
    policies.mutating(
        "p",
        "Never",
        patch(
            "[JSONPatch{op: \\\"add\\\", path: \\\"/metadata/labels\\\", value: {\\\"a\\\":"
                + " \\\"b\\\"}}, JSONPatch{op: \\\"test\\\", path: \\\"/metadata/labels/x\\\","
                + " value: \\\"y\\\"}]"));
    assertThat(data("{'a':'1'}")).isEqualTo(json("{'a':'1'}"));
  }

  @Test
  void aPatchThatDoesNotApplyRefuses() {
    policies.mutating(
        "p", "Never", patch("[JSONPatch{op: \\\"remove\\\", path: \\\"/data/x\\\"}]"));
    var refusal = refusal("{'a':'1'}");
    assertThat(refusal.code()).isEqualTo(403);
    assertThat(refusal.reason()).isEqualTo(Reason.INVALID);
    assertThat(refusal.text())
        .isEqualTo(
            "policy 'p' with binding 'p' denied request: JSON Patch: error in remove for path:"
                + " '/data/x': Unable to remove nonexistent key: x: missing value");
  }

  @Test
  void aPatchThatDoesNotApplySaysWhichOfItsPathsIsMissing() {
    policies.mutating(
        "p",
        "Never",
        patch("[JSONPatch{op: \\\"copy\\\", from: \\\"/none/x\\\", path: \\\"/data/b\\\"}]"));
    assertThat(refusal("{'a':'1'}").text())
        .endsWith(
            "copy operation does not apply: doc is missing from path: /none/x: missing value");
    policies.mutating(
        "p",
        "Never",
        patch("[JSONPatch{op: \\\"move\\\", from: \\\"/data/x\\\", path: \\\"/data/b\\\"}]"));
    assertThat(refusal("{'a':'1'}").text())
        .endsWith(
            "error in move for path: 'x': Unable to remove nonexistent key: x: missing value");
    policies.mutating(
        "p",
        "Never",
        patch("[JSONPatch{op: \\\"replace\\\", path: \\\"/none/x\\\", value: \\\"1\\\"}]"));
    assertThat(refusal("{'a':'1'}").text())
        .endsWith("replace operation does not apply: doc is missing path: /none/x: missing value");
  }

  @Test
  void aPatchThatLeavesNoSuchObjectIsAnInternalError() {
    policies.mutating(
        "p",
        "Never",
        patch("[JSONPatch{op: \\\"add\\\", path: \\\"/nonsense\\\", value: \\\"x\\\"}]"));
    assertThat(refusal("{'a':'1'}").text())
        .isEqualTo("Internal error occurred: strict decoding error: unknown field \"nonsense\"");
  }

  @Test
  void partsAreNamedByTheirFields() {
    policies.mutating("p", "Never", apply("Object{metadata: Object.spec{}}"));
    assertThat(refusal("{}").text())
        .contains("unexpected type name \"Object.spec\", expected \"Object.metadata\"");
  }

  @Test
  void aPolicyIsAskedAgainOnceWhenALaterOneChangedTheObject() {
    var mark =
        "Object{data: {\\\"%s\\\": (has(object.data.%s) ? object.data.%s : \\\"\\\") +"
            + " \\\"x\\\"}}";
    policies.mutating("a", "IfNeeded", apply(mark.formatted("a", "a", "a")));
    policies.mutating("b", "Never", apply(mark.formatted("b", "b", "b")));
    assertThat(data("{'n':'1'}")).isEqualTo(json("{'n':'1','a':'xx','b':'x'}"));
  }
}
