package dev.muster.validation.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.validation.FieldError;
import dev.muster.validation.services.AddressRules;
import dev.muster.validation.services.EndpointSliceRules;
import dev.muster.validation.services.EndpointsRules;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class CoreRulesTest {
  private static final Verdicts SECRET = new Verdicts(SecretRules.STRATEGY, true);
  private static final Verdicts ENDPOINTS = new Verdicts(EndpointsRules.STRATEGY, true);
  private static final Verdicts SLICE = new Verdicts(EndpointSliceRules.STRATEGY, true);
  private static final Verdicts EVENT = new Verdicts(EventRules.CORE, true);
  private static final Verdicts NEW_EVENT = new Verdicts(EventRules.EVENTS, true);
  private static final Verdicts LIMITS = new Verdicts(LimitRangeRules.STRATEGY, true);
  private static final Verdicts QUOTA = new Verdicts(QuotaRules.STRATEGY, true);
  private static final Verdicts RANGES = new Verdicts(AddressRules.SERVICE_CIDR, false);
  private static final Verdicts ADDRESS = new Verdicts(AddressRules.IP_ADDRESS, false);

  @Test
  void secretsTakeTextsAndHaveAType() {
    var secret = SECRET.prepared("{'stringData':{'a':'hi'}}");
    assertThat(secret.object("data").string("a")).isEqualTo("aGk=");
    assertThat(secret.has("stringData")).isFalse();
    assertThat(secret.string("type")).isEqualTo("Opaque");
  }

  @Test
  void theTypeOfASecretAsksForKeys() {
    assertThat(SECRET.create("{'type':'kubernetes.io/tls','data':{'tls.key':''}}"))
        .containsExactly("data[tls.crt]: Required value");
    assertThat(
            SECRET.create("{'type':'kubernetes.io/dockercfg','stringData':{'.dockercfg':'[1]'}}"))
        .containsExactly(
            "data[.dockercfg]: Invalid value: \"<secret contents redacted>\": json: cannot"
                + " unmarshal array into Go value of type map[string]interface {}");
    assertThat(SECRET.create("{'type':'kubernetes.io/dockercfg','stringData':{'.dockercfg':'{x'}}"))
        .singleElement()
        .asString()
        .endsWith("invalid character 'x' looking for beginning of object key string");
    assertThat(SECRET.update("{'type':'a'}", "{'type':'b'}"))
        .containsExactly("type: Invalid value: \"b\": field is immutable");
  }

  @Test
  void aKeyPairThatIsNoneGivesAWarning() {
    assertThat(SECRET.warnings("{'type':'kubernetes.io/tls','data':{'tls.crt':'','tls.key':''}}"))
        .containsExactly("tls: failed to find any PEM data in certificate input");
  }

  @Test
  void namespacesCarryTheirNameAndAFinalizer() {
    var namespace =
        new Verdicts(NamespaceRules.STRATEGY, false).prepared("{'status':{'phase':'x'}}");
    assertThat(namespace.object("metadata", "labels").string("kubernetes.io/metadata.name"))
        .isEqualTo("pear");
    assertThat(namespace.object("spec").array("finalizers").strings())
        .containsExactly("kubernetes");
    assertThat(namespace.object("status").string("phase")).isEqualTo("Active");
  }

  @Test
  void finalizersOfNamespacesHaveADomain() {
    assertThat(
            new Verdicts(NamespaceRules.STRATEGY, false).create("{'spec':{'finalizers':['mine']}}"))
        .containsExactly(
            "spec.finalizers: Invalid value: \"mine\": name is neither a standard finalizer name"
                + " nor is it fully qualified");
  }

  @Test
  void endpointsAreReachable() {
    assertThat(
            ENDPOINTS.create(
                "{'subsets':[{'addresses':[{'ip':'127.0.0.1'}],'ports':[{'port':1},{'port':0}]}]}"))
        .containsExactly(
            "subsets[0].addresses[0].ip: Invalid value: \"127.0.0.1\": may not be in the loopback"
                + " range (127.0.0.0/8, ::1/128)",
            "subsets[0].ports[0].name: Required value",
            "subsets[0].ports[1].name: Required value",
            "subsets[0].ports[1].port: Invalid value: 0: must be between 1 and 65535, inclusive");
    assertThat(ENDPOINTS.create("{'subsets':[{}]}"))
        .containsExactly(
            "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`");
  }

  @Test
  void slicesHoldAddressesOfTheirType() {
    assertThat(SLICE.create("{'addressType':'IPv4','endpoints':[{'addresses':['fd00::1']}]}"))
        .containsExactly(
            "endpoints[0].addresses: Invalid value: \"fd00::1\": must be an IPv4 address");
    assertThat(SLICE.create("{'addressType':'IPv6','endpoints':[{'addresses':[]}]}"))
        .containsExactly("endpoints[0].addresses: Required value: must contain at least 1 address");
    assertThat(SLICE.update("{'addressType':'IPv4'}", "{'addressType':'FQDN'}"))
        .containsExactly("addressType: Invalid value: \"FQDN\": field is immutable");
    assertThat(SLICE.prepared("{'addressType':'IPv4','ports':[{'port':1}]}").array("ports"))
        .hasToString("[{\"port\":1,\"name\":\"\",\"protocol\":\"TCP\"}]");
  }

  @Test
  void eventsBelongToTheNamespaceOfTheirSubject() {
    assertThat(EVENT.create("{'involvedObject':{'namespace':'garden'}}"))
        .containsExactly(
            "involvedObject.namespace: Invalid value: \"garden\": does not match"
                + " event.namespace");
    assertThat(EVENT.create("{'involvedObject':{'namespace':'shop'}}")).isEmpty();
  }

  @Test
  void eventsOfTheNewGroupAreComplete() {
    assertThat(NEW_EVENT.create("{'involvedObject':{'namespace':'shop'},'count':2}"))
        .containsExactly(
            "eventTime: Required value",
            "type: Invalid value: \"\": has invalid value: ",
            "count: Invalid value: \"\": needs to be unset");
  }

  @Test
  void boundsOfALimitRangeAgree() {
    assertThat(
            LIMITS.create(
                "{'spec':{'limits':[{'type':'Container','max':{'cpu':'1'},'min':{'cpu':'2'}}]}}"))
        .containsExactly(
            "spec.limits[0].min[cpu]: Invalid value: \"2\": min value 2 is greater than max value"
                + " 1",
            "spec.limits[0].defaultRequest[cpu]: Invalid value: \"1\": min value 2 is greater than"
                + " default request value 1",
            "spec.limits[0].default[cpu]: Invalid value: \"2\": min value 2 is greater than"
                + " default value 1");
    var limit =
        LIMITS
            .prepared("{'spec':{'limits':[{'type':'Container','max':{'cpu':'1000001u'}}]}}")
            .object("spec")
            .array("limits")
            .object(0);
    assertThat(limit.object("defaultRequest").string("cpu")).isEqualTo("1001m");
  }

  @Test
  void quotasLimitWhatCanBeLimited() {
    assertThat(QUOTA.create("{'spec':{'hard':{'pods':'1.5','fruit':'1'}}}"))
        .containsExactly(
            "spec.hard[pods]: Invalid value: \"1.5\": must be an integer",
            "spec.hard[fruit]: Invalid value: \"fruit\": must be a standard resource type or fully"
                + " qualified",
            "spec.hard[fruit]: Invalid value: \"fruit\": must be a standard resource for quota");
    assertThat(QUOTA.create("{'spec':{'hard':{'services':'1'},'scopes':['BestEffort']}}"))
        .singleElement()
        .asString()
        .endsWith("unsupported scope applied to resource");
    assertThat(QUOTA.warnings("{'spec':{'hard':{'cpu':'2','limits.cpu':'1'}}}"))
        .containsExactly("ResourceQuota cpu (2) should be less than limits.cpu (1)");
  }

  @Test
  void leasesLastLongerThanNothing() {
    assertThat(
            new Verdicts(LeaseRules.STRATEGY, true)
                .create("{'spec':{'leaseDurationSeconds':0,'leaseTransitions':-1}}"))
        .containsExactly(
            "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
            "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0");
  }

  @Test
  void rangesOfServicesMayOnlyGrow() {
    assertThat(RANGES.create("{'spec':{'cidrs':['10.0.0.0/16','10.1.0.0/16']}}"))
        .singleElement()
        .asString()
        .contains("may specify no more than one IP for each IP family");
    assertThat(
            RANGES.update(
                "{'spec':{'cidrs':['10.0.0.0/16']}}",
                "{'spec':{'cidrs':['10.0.0.0/16','fd00::/112']}}"))
        .isEmpty();
    assertThat(
            RANGES.update(
                "{'spec':{'cidrs':['10.0.0.0/16']}}", "{'spec':{'cidrs':['10.1.0.0/16']}}"))
        .containsExactly("spec.cidrs[0]: Invalid value: \"10.1.0.0/16\": field is immutable");
  }

  @Test
  void addressesAreNamedByTheirCanonicalForm() {
    assertThat(
            ADDRESS.create(
                "{'metadata':{'name':'fd00:0::1'},'spec':{'parentRef':{'resource':'x','name':'y'}}}"))
        .containsExactly(
            "metadata.name: Invalid value: \"fd00:0::1\": must be in canonical form"
                + " (\"fd00::1\")");
  }

  @Test
  void finalizingANamespaceChecksEachName() {
    var namespace = new Verdicts(NamespaceRules.STRATEGY, false).prepared("{}");
    var errors = new ArrayList<FieldError>();
    NamespaceRules.validateFinalize(
        namespace.withAt(Verdicts.json("{'x':['odd']}").array("x"), "spec", "finalizers"),
        namespace,
        errors);
    assertThat(errors).extracting(FieldError::path).containsExactly("spec.finalizers[0]");
  }
}
