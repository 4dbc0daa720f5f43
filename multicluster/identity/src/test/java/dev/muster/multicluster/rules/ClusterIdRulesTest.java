package dev.muster.multicluster.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterIdRulesTest {
  private static final ClusterIdRules STANDARD = new ClusterIdRules(false);
  private static final ClusterIdRules GENEROUS = new ClusterIdRules(true);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "0",
        "cluster-1",
        "721ab723-13bc-11e5-aec2-42010af0021e",
        "eu.west.example.com",
        "a--b",
        "1.2.3"
      })
  void takesSubdomainsWithoutAWord(String id) {
    assertThat(STANDARD.evaluate(id)).isEqualTo(PropertyVerdict.allowed());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "-a",
        "a-",
        "a..b",
        ".a",
        "a.",
        "A",
        "clusterA",
        "a_b",
        "a b",
        "a/b",
        "ä",
        "a\n",
        "ａ",
        "a.-b",
        "*",
        "a.b-.c"
      })
  void refusesWhatIsNoSubdomainAndSaysWhatIs(String id) {
    assertThat(STANDARD.evaluate(id))
        .isInstanceOfSatisfying(
            PropertyVerdict.Refused.class,
            refused ->
                assertThat(refused.sentence())
                    .contains("\"" + id + "\"")
                    .contains("RFC 1123")
                    .contains("use small letters")
                    .endsWith("."));
  }

  @Test
  void countsTheLettersOfALabel() {
    assertThat(STANDARD.evaluate("a".repeat(63))).isEqualTo(PropertyVerdict.allowed());
    assertThat(STANDARD.evaluate("a".repeat(64))).isInstanceOf(PropertyVerdict.Refused.class);
    assertThat(STANDARD.evaluate("b." + "a".repeat(64)))
        .isInstanceOf(PropertyVerdict.Refused.class);
  }

  @Test
  void warnsFrom64CharactersOnAndRefusesFrom128On() {
    assertThat(STANDARD.evaluate(ofLength(63))).isEqualTo(PropertyVerdict.allowed());
    for (int length = 64; length < 128; length++) {
      assertThat(STANDARD.evaluate(ofLength(length)))
          .isInstanceOfSatisfying(
              PropertyVerdict.Allowed.class, allowed -> assertThat(allowed.warnings()).hasSize(1));
    }
    assertThat(STANDARD.evaluate(ofLength(128)))
        .isInstanceOfSatisfying(
            PropertyVerdict.Refused.class,
            refused ->
                assertThat(refused.sentence())
                    .contains("128 characters")
                    .contains("--allow-long-cluster-id"));
  }

  @Test
  void longIdsMustLeaveRoomForTheShortestDnsName() {
    assertThat(GENEROUS.evaluate(ofLength(128))).isInstanceOf(PropertyVerdict.Allowed.class);
    assertThat(GENEROUS.evaluate(ofLength(228))).isInstanceOf(PropertyVerdict.Allowed.class);
    assertThat(ofLength(228) + ".s.n.svc.clusterset.local").hasSize(253);
    assertThat(GENEROUS.evaluate(ofLength(229)))
        .isInstanceOfSatisfying(
            PropertyVerdict.Refused.class,
            refused -> assertThat(refused.sentence()).contains("228"));
  }

  @Test
  void theWarningSaysHowMuchRoomIsLeft() {
    var id = ofLength(100);
    assertThat(STANDARD.evaluate(id))
        .isInstanceOfSatisfying(
            PropertyVerdict.Allowed.class,
            allowed -> {
              assertThat(allowed.warnings().getFirst()).contains("leaves 130 ");
              var service = "s".repeat(63);
              var namespace = "n".repeat(130 - 63);
              assertThat(id + "." + service + "." + namespace + ".svc.clusterset.local")
                  .hasSize(253);
            });
  }

  private static String ofLength(int length) {
    var text = new StringBuilder();
    while (text.length() < length) {
      text.append(text.length() % 40 == 39 && text.length() < length - 1 ? '.' : 'a');
    }
    return text.toString();
  }
}
