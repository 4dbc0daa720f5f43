package dev.muster.validation.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.types.EmptyCluster;
import dev.muster.validation.core.Verdicts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceRulesTest {
  private static final Verdicts CLAIM = new Verdicts(ResourceClaimRules.CLAIM, true);
  private static final Verdicts TEMPLATE = new Verdicts(ResourceClaimRules.TEMPLATE, true);
  private static final Verdicts CLASS = new Verdicts(DeviceClassRules.STRATEGY, false);
  private static final Verdicts SLICE = new Verdicts(ResourceSliceRules.STRATEGY, false);

  private static String claim(String requests, String rest) {
    return "{'spec':{'devices':{'requests':[" + requests + "]" + rest + "}}}";
  }

  private static String exactly(String more) {
    return "{'name':'r','exactly':{'deviceClassName':'gpu'" + more + "}}";
  }

  private static String slice(String rest) {
    return "{'spec':{'driver':'d.example.com','nodeName':'n','pool':{'name':'p',"
        + "'resourceSliceCount':1}"
        + rest
        + "}}";
  }

  private static String device(String more) {
    return slice(",'devices':[{'name':'d'" + more + "}]");
  }

  @Test
  void requestsAskForOneDeviceUnlessTheySayOtherwise() {
    var claim = CLAIM.prepared(claim(exactly(",'tolerations':[{'key':'k'}]"), ""));
    assertThat(claim.object("spec", "devices").array("requests").object(0).object("exactly"))
        .hasToString(
            "{\"deviceClassName\":\"gpu\",\"tolerations\":[{\"key\":\"k\",\"operator\":\"Equal\"}],"
                + "\"allocationMode\":\"ExactCount\",\"count\":1}");
    var template = TEMPLATE.prepared("{'spec':" + claim(exactly(""), "") + "}");
    assertThat(
            template
                .object("spec", "spec", "devices")
                .array("requests")
                .object(0)
                .object("exactly")
                .integer("count", 0))
        .isEqualTo(1);
  }

  @Test
  void requestsAreOfOneKind() {
    assertThat(
            CLAIM.create(
                claim(
                    "{'name':'a'},{'name':'a','exactly':{},'firstAvailable':[{'name':'x'}]},"
                        + exactly(",'allocationMode':'All','count':2")
                        + ","
                        + "{'name':'b','exactly':{'deviceClassName':'g','allocationMode':'x'}}",
                    "")))
        .containsExactly(
            "spec.devices.requests[0]: Required value: exactly one of `exactly` or"
                + " `firstAvailable` is required",
            "spec.devices.requests[1]: Invalid value: null: exactly one of `exactly` or"
                + " `firstAvailable` is required, but multiple fields are set",
            "spec.devices.requests[2].exactly.count: Invalid value: 2: must not be specified when"
                + " allocationMode is 'All'",
            "spec.devices.requests[3].exactly.allocationMode: Unsupported value: \"x\": supported"
                + " values: \"All\", \"ExactCount\"",
            "spec.devices.requests[1]: Duplicate value: \"a\"");
  }

  @Test
  void tooManyRequestsAreNotLookedInto() {
    var many = new ArrayList<String>();
    for (int i = 0; i < 33; i++) {
      many.add("{}");
    }
    assertThat(CLAIM.create(claim(String.join(",", many), "")))
        .containsExactly("spec.devices.requests: Too many: 33: must have at most 32 items");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                                             | must evaluate to bool or the unknown type, not int
          device.colour                                 | compilation failed: ERROR: <input>:1:7: undefined field 'colour'
          device.capacity['d'].x                        | must evaluate to bool or the unknown type, not kubernetes.Quantity
          device.driver == 1                            | compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(string, int)'
          """)
  void selectorsAreChecked(String expression, String problem) {
    var selectors = ",'selectors':[{'cel':{'expression':\"" + quoted(expression) + "\"}}]";
    assertThat(CLAIM.create(claim(exactly(selectors), "")))
        .singleElement()
        .asString()
        .startsWith("spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: ")
        .contains(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          device.driver == 'd' && device.attributes['d'].model == 'a100'
          device.attributes['d'].good
          device.capacity['d'].memory.isGreaterThan(quantity('1Gi')) && !device.allowMultipleAllocations
          cel.bind(d, device.attributes['d'], d.version.isGreaterThan(semver('1.0.0')))
          """)
  void selectorsMayUseWhatADeviceHas(String expression) {
    assertThat(
            CLASS.create(
                "{'spec':{'selectors':[{'cel':{'expression':\"" + quoted(expression) + "\"}}]}}"))
        .isEmpty();
  }

  private static String quoted(String expression) {
    return expression.replace("'", "\\u0027");
  }

  @Test
  void constraintsAndConfigurationNameRequests() {
    assertThat(
            CLAIM.create(
                claim(
                    exactly(""),
                    ",'constraints':[{'requests':['r','r'],'matchAttribute':'plain'},{},"
                        + "{'requests':['a/b/c'],'distinctAttribute':'a.b/1'}],"
                        + "'config':[{'requests':['r/x'],'opaque':{'driver':'','parameters':'x'}}]")))
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .isEqualTo("spec.devices.constraints[0].requests[1]: Duplicate value: \"r\""),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.devices.constraints[0].matchAttribute: Invalid value: \"plain\": a"
                            + " fully qualified name must be a domain and a name separated by a"
                            + " slash"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.devices.constraints[1]: Required value: exactly one of"
                            + " \"matchAttribute\" or \"distinctAttribute\" is required, but"
                            + " multiple fields are set"),
            one ->
                assertThat(one)
                    .startsWith(
                        "spec.devices.constraints[2].requests[0]: Invalid value: \"a/b/c\""),
            one ->
                assertThat(one)
                    .startsWith(
                        "spec.devices.constraints[2].distinctAttribute: Invalid value: \"1\": a"
                            + " valid C identifier"),
            one ->
                assertThat(one)
                    .startsWith("spec.devices.config[0].requests[0]: Invalid value: \"r/x\": must"),
            one ->
                assertThat(one).isEqualTo("spec.devices.config[0].opaque.driver: Required value"),
            one ->
                assertThat(one)
                    .isEqualTo(
                        "spec.devices.config[0].opaque.parameters: Invalid value: \"<value"
                            + " omitted>\": must be a valid JSON object"));
  }

  @Test
  void claimsDoNotChange() {
    var other = claim(exactly(",'count':2"), "");
    assertThat(CLAIM.update(claim(exactly(""), ""), other))
        .singleElement()
        .asString()
        .startsWith("spec: Invalid value: ")
        .endsWith(": field is immutable");
    assertThat(TEMPLATE.create("{'spec':{'metadata':{'name':'x'},'spec':{}}}"))
        .containsExactly("spec.metadata.name: Forbidden: cannot be set");
  }

  @Test
  void whatIsAllocatedIsWhatWasAskedFor() {
    assertThat(
            status(
                "{'allocation':{'devices':{'results':[{'request':'r','driver':'d','pool':'p',"
                    + "'device':'x','shareID':'no'}]}},'devices':[{'driver':'d','pool':'p',"
                    + "'device':'y'}],'reservedFor':[{'resource':'pods','name':'p'}]}"))
        .containsExactly(
            "status.reservedFor[0].uid: Required value",
            "status.devices[0]: Invalid value:"
                + " {\"Driver\":\"d\",\"Pool\":\"p\",\"Device\":\"y\",\"ShareID\":\"\"}: must be an"
                + " allocated device in the claim",
            "status.allocation.devices.results[0].shareID: Invalid value: \"no\": error validating"
                + " uid: invalid UUID length: 2");
    assertThat(status("{'reservedFor':[{'resource':'pods','name':'p','uid':'u'}]}"))
        .containsExactly(
            "status.reservedFor: Forbidden: may not be specified when `allocated` is not set");
  }

  private static List<String> status(String status) {
    var old = CLAIM.prepared(claim(exactly(""), ""));
    var changed = old.with("status", Verdicts.json(status));
    var errors = new ArrayList<FieldError>();
    ResourceClaimRules.CLAIM.validateStatusUpdate(
        ResourceClaimRules.CLAIM.prepareForStatusUpdate(changed, old), old, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  @Test
  void devicesOfOthersAreForNamespacesThatAreMeantForIt() {
    var claim = CLAIM.prepared(claim(exactly(",'adminAccess':true"), ""));
    assertThat(among(claim, "false"))
        .containsExactly(
            "spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the"
                + " `resource.kubernetes.io/admin-access: true` label on the containing namespace");
    assertThat(among(claim, "true")).isEmpty();
  }

  private static List<String> among(JsonObject claim, String label) {
    var errors = new ArrayList<FieldError>();
    ResourceClaimRules.CLAIM.validateAmong(claim, null, new OneNamespace(label), errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  /** A cluster with one namespace. */
  private static final class OneNamespace extends EmptyCluster {
    private final String label;

    OneNamespace(String label) {
      this.label = label;
    }

    @Override
    public JsonObject get(String collection, String namespace, String name) {
      return Verdicts.json(
          "{'metadata':{'labels':{'resource.kubernetes.io/admin-access':'" + label + "'}}}");
    }
  }

  @ParameterizedTest
  @CsvSource({"cpu", "kubernetes.io/gpu", "requests.example.com/x y"})
  void extendedResourcesHaveADomainOfTheirOwn(String name) {
    assertThat(CLASS.create("{'spec':{'extendedResourceName':'" + name + "'}}"))
        .containsExactly(
            "spec.extendedResourceName: Invalid value: \""
                + name
                + "\": must be a valid extended resource name");
  }

  @Test
  void slicesAreSomewhere() {
    var pool = "'driver':'d','pool':{'name':'p','resourceSliceCount':1}";
    var one =
        "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is"
            + " required";
    assertThat(SLICE.create("{'spec':{" + pool + "}}"))
        .containsExactly("spec: Required value: " + one);
    assertThat(SLICE.create("{'spec':{" + pool + ",'nodeName':'n','allNodes':true}}"))
        .containsExactly(
            "spec: Invalid value: \"{`nodeName`, `allNodes`}\": "
                + one
                + ", but multiple fields are set");
    assertThat(
            SLICE.create(
                "{'spec':{"
                    + pool
                    + ",'perDeviceNodeSelection':true,"
                    + "'devices':[{'name':'d'}]}}"))
        .containsExactly(
            "spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or"
                + " `allNodes` is required when `perDeviceNodeSelection` is set to true in the"
                + " ResourceSlice spec");
    assertThat(SLICE.warnings("{'spec':{'driver':'D'}}")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'attributes':{'a':{}}                                   | attributes[a]: Invalid value: "": exactly one value must be specified
          'attributes':{'a':{'version':'1.0'}}                    | attributes[a].version: Invalid value: "1.0": must be a string compatible with semver.org spec 2.0.0
          'attributes':{'a':{'version':'1.0.0-a..b'}}             | attributes[a].version: Invalid value: "1.0.0-a..b": must be a string compatible with semver.org spec 2.0.0
          'attributes':{'a':{'version':'01.0.0'}}                 | attributes[a].version: Invalid value: "01.0.0": must be a string compatible with semver.org spec 2.0.0
          'attributes':{'/a':{'int':1}}                           | attributes: Invalid value: "": the domain must not be empty
          'attributes':{'a/':{'int':1}}                           | attributes: Invalid value: "": the name must not be empty
          'nodeName':'n'                                          | Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec
          'bindingConditions':['a']                               | bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions
          'bindingConditions':['a'],'bindingFailureConditions':['a'] | bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions
          'taints':[{'key':'k'}]                                  | taints[0].effect: Required value
          'consumesCounters':[{'counterSet':'c'}]                 | consumesCounters[0].counters: Required value
          'capacity':{'m':{'value':'1','requestPolicy':{}}}       | capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true
          """)
  void devicesAreChecked(String fields, String error) {
    var path = error.startsWith("Invalid") ? "spec.devices[0]: " : "spec.devices[0].";
    assertThat(SLICE.create(device("," + fields))).containsExactly(path + error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'validValues':['1','2']                               | default: Required value: required when validValues is defined
          'default':'3','validValues':['2','1']                 | validValues[1]: Invalid value: "1": values must be sorted in ascending order;validValues: Invalid value: "3": default value is not valid according to the requestPolicy
          'default':'1','validValues':['1','11']                | validValues[1]: Invalid value: "11": option is larger than capacity value: 10
          'default':'1','validRange':{}                         | validRange.min: Required value: required when validRange is defined
          'default':'1','validRange':{'min':'2','max':'20'}     | validRange.min: Invalid value: "1": default is less than min: 2;validRange.max: Invalid value: "20": max is larger than capacity value: 10
          'default':'4','validRange':{'min':'1','step':'2'}     | validRange.step: Invalid value: "4": value is not a multiple of a given step (2) from (1)
          """)
  void amountsThatAreSharedAreChecked(String policy, String errors) {
    var prefix = "spec.devices[0].capacity[m].requestPolicy.";
    assertThat(
            SLICE.create(
                device(
                    ",'allowMultipleAllocations':true,'capacity':{'m':{'value':'10',"
                        + "'requestPolicy':{"
                        + policy
                        + "}}}")))
        .containsExactly(
            List.of(errors.split(";")).stream()
                .map(error -> prefix + error)
                .toArray(String[]::new));
  }

  @Test
  void fieldsOfFeaturesToComeAreDropped() {
    var slice =
        SLICE.prepared(
            device(
                ",'attributes':{'a':{'int':1,'ints':[1]}},'nodeAllocatableResourceMappings':{}"));
    assertThat(slice.object("spec").array("devices"))
        .hasToString("[{\"name\":\"d\",\"attributes\":{\"a\":{\"int\":1}}}]");
  }

  @Test
  void taintsSaySinceWhenTheyAreThere() {
    var filled =
        SliceDefaults.taints(InstantSource.fixed(Instant.ofEpochSecond(1)))
            .apply(Verdicts.json(device(",'taints':[{'key':'k','effect':'None'}]")));
    assertThat(
            filled
                .object("spec")
                .array("devices")
                .object(0)
                .array("taints")
                .object(0)
                .string("timeAdded"))
        .isEqualTo("1970-01-01T00:00:01Z");
  }

  @Test
  void aSliceStaysWhereItIs() {
    assertThat(
            SLICE.update(
                slice(""),
                "{'spec':{'driver':'e','nodeName':'m','pool':{'name':'q','resourceSliceCount':1}}}"))
        .containsExactly(
            "spec.pool.name: Invalid value: \"q\": field is immutable",
            "spec.driver: Invalid value: \"e\": field is immutable",
            "spec.nodeName: Invalid value: \"m\": field is immutable");
  }
}
