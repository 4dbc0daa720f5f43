package dev.muster.validation.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.services.AddressRules;
import dev.muster.validation.services.EndpointSliceRules;
import dev.muster.validation.services.ServiceRules;
import dev.muster.validation.storage.ClaimRules;
import dev.muster.validation.storage.VolumeRules;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that are there and empty, or of a form that hardly anybody sends. */
class OddValuesTest {
  private static final Verdicts SERVICE = new Verdicts(ServiceRules.STRATEGY, true);
  private static final Verdicts NODE = new Verdicts(NodeRules.STRATEGY, false);
  private static final Verdicts VOLUME = new Verdicts(VolumeRules.STRATEGY, false);
  private static final Verdicts CLAIM = new Verdicts(ClaimRules.STRATEGY, true);
  private static final Verdicts QUOTA = new Verdicts(QuotaRules.STRATEGY, true);
  private static final Verdicts ADDRESS = new Verdicts(AddressRules.IP_ADDRESS, false);
  private static final Verdicts RANGES = new Verdicts(AddressRules.SERVICE_CIDR, false);
  private static final Verdicts EVENT = new Verdicts(EventRules.EVENTS, true);

  private static final String CLAIM_SPEC =
      "'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}";
  private static final String VOLUME_SPEC =
      "'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'}";
  private static final String MODES =
      "spec.volumeMode: Unsupported value: \"\": supported values: \"Block\", \"Filesystem\"";

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            SERVICE,
            "{'spec':{'clusterIP':'None','internalTrafficPolicy':''}}",
            "spec.internalTrafficPolicy: Unsupported value: \"\": supported values: \"Cluster\","
                + " \"Local\""),
        Arguments.of(
            SERVICE,
            "{'spec':{'type':'ExternalName','externalName':'x','internalTrafficPolicy':'odd'}}",
            "spec.internalTrafficPolicy: Unsupported value: \"odd\": supported values: \"Cluster\","
                + " \"Local\""),
        Arguments.of(
            SERVICE,
            "{'spec':{'clusterIP':'None','trafficDistribution':''}}",
            "spec.trafficDistribution: Unsupported value: \"\": supported values: \"PreferClose\","
                + " \"PreferSameZone\", \"PreferSameNode\""),
        Arguments.of(
            SERVICE,
            "{'spec':{'type':'ExternalName','externalName':'x','ipFamilyPolicy':''}}",
            "spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services"),
        Arguments.of(
            VOLUME,
            "{'spec':{" + VOLUME_SPEC + ",'volumeMode':'','nfs':{'server':'s'," + "'path':'/'}}}",
            MODES),
        Arguments.of(CLAIM, "{'spec':{" + CLAIM_SPEC + ",'volumeMode':''}}", MODES),
        Arguments.of(
            QUOTA,
            "{'spec':{'scopeSelector':{'matchExpressions':["
                + "{'scopeName':'Terminating','operator':'Exists'},"
                + "{'scopeName':'NotTerminating','operator':'Exists'}]}}}",
            "spec.scopeSelector.matchExpressions: Invalid value: null: conflicting scopes"),
        Arguments.of(
            NODE,
            "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/taints':'{}'}}}",
            "metadata.annotations: Invalid value: \"scheduler.alpha.kubernetes.io/taints\": json:"
                + " cannot unmarshal object into Go value of type []core.Taint"),
        Arguments.of(
            ADDRESS,
            "{'metadata':{'name':'192.0.2.1','generateName':'x-'},"
                + "'spec':{'parentRef':{'resource':'services','name':'s'}}}",
            "metadata.generateName: Invalid value: \"x-\": must be a valid IP address, (e.g."
                + " 10.9.8.7 or 2001:db8::ffff)"));
  }

  @ParameterizedTest
  @MethodSource
  void refused(Verdicts kind, String object, String error) {
    assertThat(kind.create(object)).containsExactly(error);
  }

  @Test
  void rangesThatCannotBeReadAreNamedByTheirPlace() {
    assertThat(NODE.create("{'spec':{'podCIDRs':['10.0.0.0/24','x']}}"))
        .containsExactly(
            "spec.podCIDRs[1]: Invalid value: \"x\": must be a valid CIDR value, (e.g. 10.9.8.0/24"
                + " or 2001:db8::/64)",
            "spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with"
                + " error:invalid CIDR[1]: <nil> (invalid CIDR address: x)",
            "spec.podCIDRs: Invalid value: [\"10.0.0.0/24\",\"x\"]: may specify no more than one"
                + " CIDR for each IP family");
  }

  @Test
  void whatIsTakenAwayIsShownAsItsTypeShowsNothing() {
    var event =
        "{'involvedObject':{'namespace':'shop'},'eventTime':'2026-01-01T00:00:00.000000Z',"
            + "'type':'Normal','reportingComponent':'c','reportingInstance':'i','action':'a',"
            + "'reason':'r'";
    assertThat(EVENT.update(event + ",'message':'m','count':1}", event + "}"))
        .containsExactly(
            "message: Invalid value: \"\": field is immutable",
            "count: Invalid value: 0: field is immutable");
    assertThat(RANGES.update("{'spec':{'cidrs':['10.0.0.0/16']}}", "{'spec':{}}"))
        .containsExactly("spec.cidrs: Invalid value: null: field is immutable");
  }

  @Test
  void equalAmountsAreNoChange() {
    assertThat(
            CLAIM.update(
                "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'},"
                    + "'limits':{'storage':'2Gi'}}}}",
                "{'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
                    + "{'storage':'1024Mi'},'limits':{'storage':'2048Mi'}}}}"))
        .isEmpty();
  }

  @Test
  void emptyListsOfASliceAreNoChange() {
    var slices = new Verdicts(EndpointSliceRules.STRATEGY, true);
    assertThat(
            slices.generation(
                "{'addressType':'IPv4','endpoints':null,'ports':null}",
                "{'addressType':'IPv4','endpoints':[],'ports':[]}"))
        .isEqualTo(1);
    assertThat(
            slices.generation(
                "{'addressType':'IPv4'}",
                "{'metadata':{'labels':{'a':'b'}}," + "'addressType':'IPv4'}"))
        .isEqualTo(2);
  }

  @Test
  void anAddressIsNeverGivenAnEnding() {
    assertThat(AddressRules.IP_ADDRESS.generatedName("192.0.2.1", new Random(1)))
        .isEqualTo("192.0.2.1");
    assertThat(LimitRangeRules.STRATEGY.generatedName("a-", new Random(1))).hasSize(7);
  }

  @Test
  void aLimitRangeWithoutNameGetsOne() {
    var range =
        LimitRangeRules.STRATEGY.prepareForCreate(
            Verdicts.json("{'metadata':{'uid':'0b6d'},'spec':{'limits':[]}}"));
    assertThat(range.object("metadata").string("name")).isEqualTo("0b6d");
  }

  @Test
  void aStatusHasItsOwnWarnings() {
    var balanced = "{'spec':{'type':'LoadBalancer','externalIPs':['192.0.2.1'],'ports':[]}}";
    assertThat(SERVICE.statusWarnings(balanced, "{}")).isEmpty();
    assertThat(
            SERVICE.statusWarnings(
                balanced,
                "{'status':{'loadBalancer':{'ingress':[{'ip':'2001:DB8::1','ipMode':'VIP'}]}}}"))
        .containsExactly(
            "status.loadBalancer.ingress[0]: IPv6 address \"2001:DB8::1\" should be in RFC 5952"
                + " canonical format (\"2001:db8::1\")");
    assertThat(NODE.statusWarnings("{'spec':{'externalID':'x'}}", "{'status':{}}")).isEmpty();
    var recycled = "{'spec':{'persistentVolumeReclaimPolicy':'Recycle'}}";
    assertThat(VOLUME.statusWarnings(recycled, "{'status':{}}")).isEmpty();
  }

  @Test
  void labelsInAnAffinityAreRenamedOneWayOnly() {
    var before = affinity("failure-domain.beta.kubernetes.io/zone");
    var after = affinity("topology.kubernetes.io/zone");
    assertThat(VOLUME.update(before, before)).isEmpty();
    assertThat(VOLUME.update(before, after)).isEmpty();
    assertThat(VOLUME.update(after, before))
        .singleElement()
        .asString()
        .startsWith("nodeAffinity: Invalid value: ")
        .endsWith(": field is immutable, except for updating from beta label to GA");
    assertThat(VOLUME.update(before, affinity("kubernetes.io/os"))).hasSize(1);
    assertThat(VOLUME.update(affinity("other"), affinity("")))
        .isNotEmpty()
        .noneMatch(problem -> problem.startsWith("nodeAffinity:"));
  }

  private static String affinity(String label) {
    return "{'spec':{"
        + VOLUME_SPEC
        + ",'nfs':{'server':'s','path':'/'},'nodeAffinity':{'required':{'nodeSelectorTerms':["
        + "{'matchExpressions':[{'key':'"
        + label
        + "','operator':'In','values':['a']}]}]}}}}";
  }

  @Test
  void aKeyWithoutBytesIsAKey() {
    var secret = new Verdicts(SecretRules.STRATEGY, true);
    assertThat(secret.create("{'type':'kubernetes.io/tls','data':{'tls.crt':'','tls.key':''}}"))
        .isEmpty();
  }
}
