package dev.muster.validation.networking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.core.Verdicts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkPolicyRulesTest {
  private static final Verdicts POLICY = new Verdicts(NetworkPolicyRules.STRATEGY, true);

  private static String peer(String peer) {
    return "{'spec':{'ingress':[{'from':[" + peer + "]}]}}";
  }

  @Test
  void policiesAreAboutTrafficThatComesInUnlessTheySayMore() {
    assertThat(POLICY.prepared("{}").object("spec").array("policyTypes").strings())
        .containsExactly("Ingress");
    assertThat(
            POLICY
                .prepared("{'spec':{'egress':[{'ports':[{'port':1}]}]}}")
                .object("spec")
                .toString())
        .isEqualTo(
            "{\"egress\":[{\"ports\":[{\"port\":1,\"protocol\":\"TCP\"}]}],"
                + "\"policyTypes\":[\"Ingress\",\"Egress\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'endPort':9} | endPort: Invalid value: 9: may not be specified when `port` is not"
            + " specified",
        "{'port':'http','endPort':9} | endPort: Invalid value: 9: may not be specified when `port`"
            + " is non-numeric",
        "{'port':80,'endPort':70} | endPort: Invalid value: 80: must be greater than or equal to"
            + " `port`",
        "{'port':1,'endPort':70000} | endPort: Invalid value: 70000: must be between 1 and 65535,"
            + " inclusive",
        "{'port':0} | port: Invalid value: 0: must be between 1 and 65535, inclusive",
        "{'port':'a_b'} | port: Invalid value: \"a_b\": must contain only alpha-numeric characters"
            + " (a-z, 0-9), and hyphens (-)",
        "{'protocol':'ICMP'} | protocol: Unsupported value: \"ICMP\": supported values: \"TCP\","
            + " \"UDP\", \"SCTP\"",
      })
  void portsAreNumbersNamesOrRanges(String port, String error) {
    assertThat(POLICY.create("{'spec':{'egress':[{'ports':[" + port + "]}]}}"))
        .containsExactly("spec.egress[0].ports[0]." + error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{} | : Required value: must specify a peer",
        "{'ipBlock':{'cidr':'10.0.0.0/8'},'podSelector':{}} | : Forbidden: may not specify both"
            + " ipBlock and another peer",
        "{'ipBlock':{}} | .ipBlock.cidr: Required value",
        "{'ipBlock':{'cidr':'10.0.0.0'}} | .ipBlock.cidr: Invalid value: \"10.0.0.0\": must be a"
            + " valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)",
        "{'ipBlock':{'cidr':'10.1.2.3/8'}} | .ipBlock.cidr: Invalid value: \"10.1.2.3/8\": must not"
            + " have bits set beyond the prefix length",
        "{'ipBlock':{'cidr':'10.0.0.0/8','except':['11.0.0.0/16']}} | .ipBlock.except[0]: Invalid"
            + " value: \"11.0.0.0/16\": must be a strict subset of `cidr`",
        "{'ipBlock':{'cidr':'10.0.0.0/8','except':['10.0.0.0/8']}} | .ipBlock.except[0]: Invalid"
            + " value: \"10.0.0.0/8\": must be a strict subset of `cidr`",
      })
  void peersAreSelectedOrInARange(String peer, String error) {
    assertThat(POLICY.create(peer(peer))).containsExactly("spec.ingress[0].from[0]" + error);
  }

  @Test
  void aRangeThatStoodThereStaysWhereverItMoves() {
    var old = peer("{'ipBlock':{'cidr':'10.1.2.3/8'}}");
    assertThat(
            POLICY.update(old, "{'spec':{'egress':[{'to':[{'ipBlock':{'cidr':'10.1.2.3/8'}}]}]}}"))
        .isEmpty();
    assertThat(POLICY.update(old, peer("{'ipBlock':{'cidr':'10.1.2.4/8'}}"))).hasSize(1);
  }

  @Test
  void typesAreKnown() {
    assertThat(POLICY.create("{'spec':{'policyTypes':['Sideways']}}"))
        .containsExactly(
            "spec.policyTypes[0]: Unsupported value: \"Sideways\": supported values: \"Ingress\","
                + " \"Egress\"");
    assertThat(POLICY.create("{'spec':{'policyTypes':['a','b','c']}}"))
        .containsExactly(
            "spec.policyTypes: Invalid value: [\"a\",\"b\",\"c\"]: may not specify more than two"
                + " policyTypes");
  }

  @Test
  void selectorsMayKeepValuesThatNoLabelCanHave() {
    var policy =
        "{'spec':{'podSelector':{'matchExpressions':[{'key':'a','operator':'In','values':['%s']}]}}}";
    assertThat(POLICY.create(policy.formatted("a b"))).hasSize(1);
    assertThat(POLICY.update(policy.formatted("a b"), policy.formatted("c d"))).isEmpty();
  }

  @Test
  void specsAreCounted() {
    assertThat(POLICY.generation("{}", peer("{'podSelector':{}}"))).isEqualTo(2);
    assertThat(POLICY.generation("{}", "{'spec':{'policyTypes':['Ingress']}}")).isEqualTo(1);
  }
}
