package dev.muster.validation.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsiRulesTest {
  private static final Verdicts DRIVER = new Verdicts(CsiDriverRules.STRATEGY, false);
  private static final Verdicts NODE = new Verdicts(CsiNodeRules.STRATEGY, false);
  private static final Verdicts CAPACITY = new Verdicts(CapacityRules.STRATEGY, true);

  private static String driver(String spec) {
    return "{'spec':{" + spec + "}}";
  }

  private static String node(String drivers) {
    return "{'spec':{'drivers':[" + drivers + "]}}";
  }

  @Test
  void aDriverSaysLittleByItself() {
    assertThat(DRIVER.prepared("{}").object("spec").toString())
        .isEqualTo(
            "{\"attachRequired\":true,\"podInfoOnMount\":false,\"storageCapacity\":false,"
                + "\"fsGroupPolicy\":\"ReadWriteOnceWithFSType\","
                + "\"volumeLifecycleModes\":[\"Persistent\"],\"requiresRepublish\":false,"
                + "\"seLinuxMount\":false}");
  }

  @Test
  void aFieldOfAFeatureThatIsOffIsDropped() {
    assertThat(
            DRIVER
                .prepared(driver("'preventPodSchedulingIfMissing':true"))
                .object("spec")
                .has("preventPodSchedulingIfMissing"))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'fsGroupPolicy':'Sometimes' | fsGroupPolicy: Unsupported value: \"Sometimes\": supported"
            + " values: \"File\", \"None\", \"ReadWriteOnceWithFSType\"",
        "'volumeLifecycleModes':['Forever'] | volumeLifecycleModes: Unsupported value:"
            + " \"Forever\": supported values: \"Persistent\", \"Ephemeral\"",
        "'tokenRequests':[{'audience':'a'},{'audience':'a','expirationSeconds':1}] |"
            + " tokenRequests[1].audience: Duplicate value: \"a\"",
        "'tokenRequests':[{'audience':'','expirationSeconds':599}] |"
            + " tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration"
            + " less than 10 minutes",
        "'tokenRequests':[{'audience':'','expirationSeconds':4294967297}] |"
            + " tokenRequests[0].expirationSeconds: Invalid value: 4294967297: may not specify a"
            + " duration larger than 2^32 seconds",
        "'nodeAllocatableUpdatePeriodSeconds':9 | nodeAllocatableUpdatePeriodSeconds: Invalid"
            + " value: 9: must be greater than or equal to 10 seconds",
        "'serviceAccountTokenInSecrets':true | serviceAccountTokenInSecrets: Invalid value: true:"
            + " serviceAccountTokenInSecrets is set but no tokenRequests are specified",
      })
  void aDriverIsChecked(String spec, String error) {
    assertThat(DRIVER.create(driver(spec))).containsExactly("spec." + error);
  }

  @Test
  void howADriverAttachesStays() {
    assertThat(
            DRIVER.update(
                "{}", driver("'attachRequired':false,'volumeLifecycleModes':['Ephemeral']")))
        .containsExactly(
            "spec.attachedRequired: Invalid value: false: field is immutable",
            "spec.volumeLifecycleModes: Invalid value: [\"Ephemeral\"]: field is immutable");
    assertThat(DRIVER.generation("{}", driver("'seLinuxMount':true"))).isEqualTo(1);
    assertThat(DRIVER.generation("{}", "{}")).isZero();
  }

  @Test
  void tokensBelongIntoSecrets() {
    assertThat(DRIVER.warnings(driver("'tokenRequests':[{'audience':'a'}]"))).hasSize(1);
    assertThat(
            DRIVER.warnings(
                driver("'tokenRequests':[{'audience':'a'}],'serviceAccountTokenInSecrets':false")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'nodeID':'n'} | [0].name: Required value",
        "{'name':'d'} | [0].nodeID: Required value",
        "{'name':'d','nodeID':'n'},{'name':'d','nodeID':'m'} | [1].name: Duplicate value: \"d\"",
        "{'name':'d','nodeID':'n','topologyKeys':['z','z']} | [0]: Duplicate value: \"z\"",
        "{'name':'d','nodeID':'n','allocatable':{'count':-1}} | [0].allocatable.count: Invalid"
            + " value: -1: must be greater than or equal to 0",
      })
  void driversOfANodeAreChecked(String drivers, String error) {
    assertThat(NODE.create(node(drivers))).containsExactly("spec.drivers" + error);
  }

  @Test
  void aDriverOfANodeStaysAsItIsButForItsRoom() {
    var old = node("{'name':'d','nodeID':'n'},{'name':'e','nodeID':'n'}");
    assertThat(NODE.update(old, node("{'name':'d','nodeID':'n','allocatable':{'count':1}}")))
        .isEmpty();
    assertThat(NODE.update(old, node("{'name':'d','nodeID':'other'}")))
        .containsExactly(
            "spec.drivers: Invalid value: {\"name\":\"d\",\"nodeID\":\"other\"}: field is"
                + " immutable");
  }

  @Test
  void capacityIsOfAClass() {
    assertThat(CAPACITY.create("{'storageClassName':'c','capacity':'-1','maximumVolumeSize':'-1'}"))
        .containsExactly("capacity: Invalid value: \"-1\": must be greater than or equal to 0");
    assertThat(CAPACITY.create("{}"))
        .singleElement()
        .asString()
        .startsWith("storageClassName: Invalid value: \"\": a lowercase RFC 1123 subdomain");
    assertThat(
            CAPACITY.update(
                "{'storageClassName':'c'}",
                "{'storageClassName':'d','nodeTopology':{'matchLabels':{'a':'b'}}}"))
        .containsExactly(
            "nodeTopology: Invalid value: {\"matchLabels\":{\"a\":\"b\"}}: field is immutable",
            "storageClassName: Invalid value: \"d\": field is immutable");
  }
}
