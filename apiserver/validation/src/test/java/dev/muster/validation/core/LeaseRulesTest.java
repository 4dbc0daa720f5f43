package dev.muster.validation.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.validation.services.EndpointSliceRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseRulesTest {
  private static final Verdicts LEASE = new Verdicts(LeaseRules.STRATEGY, true);
  private static final Verdicts SLICE = new Verdicts(EndpointSliceRules.STRATEGY, true);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "'leaseDurationSeconds':0 | leaseDurationSeconds: Invalid value: 0: must be greater than 0",
        "'leaseTransitions':-1 | leaseTransitions: Invalid value: -1: must be greater than or equal"
            + " to 0",
      })
  void aLeaseLasts(String spec, String error) {
    assertThat(LEASE.create("{'spec':{" + spec + "}}")).containsExactly("spec." + error);
  }

  @Test
  void fieldsOfElectionsAreDroppedUnlessTheyStoodThere() {
    var sent = Verdicts.json("{'spec':{'strategy':'b','preferredHolder':'h'}}");
    assertThat(LeaseRules.STRATEGY.prepareForCreate(sent).object("spec").isEmpty()).isTrue();
    var old = Verdicts.json("{'spec':{'strategy':'a'}}");
    assertThat(LeaseRules.STRATEGY.prepareForUpdate(sent, old).object("spec").toString())
        .isEqualTo("{\"strategy\":\"b\"}");
  }

  @Test
  void aPortWithoutProtocolIsTcp() {
    assertThat(SLICE.create("{'addressType':'IPv4','ports':[{'port':1}]}")).isEmpty();
    assertThat(SLICE.create("{'addressType':'IPv4','ports':[{'port':1,'protocol':''}]}"))
        .containsExactly(
            "ports[0].protocol: Unsupported value: \"\": supported values: \"SCTP\", \"TCP\","
                + " \"UDP\"");
  }
}
