package dev.muster.multicluster.rules;

import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_ID;
import static dev.muster.multicluster.rules.WellKnownProperties.CLUSTER_SET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.multicluster.rules.PropertyChange.Create;
import dev.muster.multicluster.rules.PropertyChange.Delete;
import dev.muster.multicluster.rules.PropertyChange.Update;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PropertyRulesTest {
  private static final PropertyRules RULES = new PropertyRules(new ClusterIdRules(false));
  private static final PropertyRules.Identity NOBODY =
      new PropertyRules.Identity(Optional.empty(), Optional.empty());
  private static final PropertyRules.Identity ALONE =
      new PropertyRules.Identity(Optional.of("one"), Optional.empty());
  private static final PropertyRules.Identity MEMBER =
      new PropertyRules.Identity(Optional.of("one"), Optional.of("prod"));
  private static final BooleanSupplier MANAGER = Boolean.TRUE::booleanValue;
  private static final BooleanSupplier ANYBODY = Boolean.FALSE::booleanValue;
  private static final BooleanSupplier NOT_ASKED = PropertyRulesTest::notAsked;

  private static boolean notAsked() {
    throw new AssertionError("rights do not matter here");
  }

  @Test
  void anIdIsChosenChangedAndDeletedFreelyOutsideOfAClusterSet() {
    assertThat(RULES.evaluate(new Create(CLUSTER_ID, "one"), NOBODY, NOT_ASKED)).isEqualTo(fine());
    assertThat(RULES.evaluate(new Update(CLUSTER_ID, "one", "two"), ALONE, NOT_ASKED))
        .isEqualTo(fine());
    assertThat(RULES.evaluate(new Delete(CLUSTER_ID), ALONE, NOT_ASKED)).isEqualTo(fine());
  }

  @Test
  void anIdIsFixedWhileTheClusterIsAMember() {
    assertThat(refusal(new Update(CLUSTER_ID, "one", "two"), MEMBER, MANAGER))
        .isEqualTo(
            "The cluster ID cannot be changed while the cluster is a member of the ClusterSet"
                + " \"prod\": take it out with muster clusterset leave first.");
    assertThat(refusal(new Delete(CLUSTER_ID), MEMBER, MANAGER))
        .contains("cannot be deleted")
        .contains("muster clusterset leave");
    var damaged = new PropertyRules.Identity(Optional.empty(), Optional.of("prod"));
    assertThat(refusal(new Create(CLUSTER_ID, "two"), damaged, MANAGER))
        .contains("must not be chosen while it is a member");
  }

  /** Whoever is told to set the ID back can do so, and can do nothing else. */
  @Test
  void aMemberMayBeGivenTheIdThatItClaims() {
    var claim = Optional.of(new PropertyRules.ClaimedId("prod", "one"));
    var other = new PropertyRules.Identity(Optional.of("two"), Optional.of("prod"), claim);
    assertThat(RULES.evaluate(new Update(CLUSTER_ID, "two", "one"), other, NOT_ASKED))
        .isEqualTo(fine());
    assertThat(refusal(new Update(CLUSTER_ID, "two", "three"), other, MANAGER))
        .contains("set it to \"one\", with which it is a member, or take it out");
    var without = new PropertyRules.Identity(Optional.empty(), Optional.of("prod"), claim);
    assertThat(RULES.evaluate(new Create(CLUSTER_ID, "one"), without, NOT_ASKED)).isEqualTo(fine());
    assertThat(refusal(new Create(CLUSTER_ID, "three"), without, MANAGER)).contains("set it to");
    var elsewhere = Optional.of(new PropertyRules.ClaimedId("test", "three"));
    var inProd = new PropertyRules.Identity(Optional.of("one"), Optional.of("prod"), elsewhere);
    assertThat(refusal(new Update(CLUSTER_ID, "one", "three"), inProd, MANAGER))
        .contains("cannot be changed")
        .doesNotContain("set it to");
  }

  @Test
  void metadataOfTheWellKnownPropertiesMayChangeAtAnyTime() {
    assertThat(RULES.evaluate(new Update(CLUSTER_ID, "one", "one"), MEMBER, ANYBODY))
        .isEqualTo(fine());
    assertThat(RULES.evaluate(new Update(CLUSTER_SET, "prod", "prod"), MEMBER, ANYBODY))
        .isEqualTo(fine());
  }

  @Test
  void anIdThatBreaksTheRulesIsRefusedOnCreateAndOnUpdate() {
    assertThat(refusal(new Create(CLUSTER_ID, "Not a name"), NOBODY, MANAGER)).contains("RFC 1123");
    assertThat(refusal(new Update(CLUSTER_ID, "one", "a".repeat(64)), ALONE, MANAGER))
        .contains("RFC 1123");
  }

  @Test
  void onlyWhoManagesMembershipSetsAndRemovesTheClusterSet() {
    assertThat(RULES.evaluate(new Create(CLUSTER_SET, "prod"), ALONE, MANAGER)).isEqualTo(fine());
    assertThat(RULES.evaluate(new Delete(CLUSTER_SET), MEMBER, MANAGER)).isEqualTo(fine());
    assertThat(refusal(new Create(CLUSTER_SET, "prod"), ALONE, ANYBODY))
        .contains("muster:clusterset-membership");
    assertThat(refusal(new Delete(CLUSTER_SET), MEMBER, ANYBODY)).contains("muster clusterset");
  }

  @Test
  void theClusterSetOfAMemberIsFixedForEverybody() {
    assertThat(refusal(new Update(CLUSTER_SET, "prod", "test"), MEMBER, MANAGER))
        .contains("from \"prod\"")
        .contains("muster clusterset move");
  }

  @Test
  void aClusterWithoutAValidIdCannotJoin() {
    assertThat(refusal(new Create(CLUSTER_SET, "prod"), NOBODY, MANAGER))
        .contains("has no ID")
        .contains(CLUSTER_ID);
    var invalid = new PropertyRules.Identity(Optional.of("Nope"), Optional.empty());
    assertThat(refusal(new Create(CLUSTER_SET, "prod"), invalid, MANAGER))
        .contains("cannot join")
        .contains("RFC 1123");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fingerprint.k8s.io",
        "a.b.k8s.io",
        "k8s.io",
        "x.kubernetes.io",
        "kubernetes.io",
        "other.clusterset.k8s.io"
      })
  void reservedSuffixesAreRefused(String name) {
    assertThat(refusal(new Create(name, "x"), ALONE, MANAGER))
        .contains("\"" + name + "\"")
        .contains("reserved for Kubernetes")
        .contains(".example.com");
    assertThat(refusal(new Update(name, "x", "y"), ALONE, MANAGER)).contains("reserved");
    assertThat(RULES.evaluate(new Update(name, "x", "x"), ALONE, MANAGER)).isEqualTo(fine());
    assertThat(RULES.evaluate(new Delete(name), ALONE, MANAGER)).isEqualTo(fine());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fingerprint",
        "fingerprint.example.com",
        "notk8s.io",
        "k8s.io.example.com",
        "x.mykubernetes.io",
        "k8s"
      })
  void otherNamesAreFree(String name) {
    assertThat(RULES.evaluate(new Create(name, "x"), NOBODY, NOT_ASKED)).isEqualTo(fine());
    assertThat(RULES.evaluate(new Update(name, "x", "y"), MEMBER, NOT_ASKED)).isEqualTo(fine());
    assertThat(RULES.evaluate(new Delete(name), MEMBER, NOT_ASKED)).isEqualTo(fine());
  }

  @Test
  void valuesAreMeasuredInCodePoints() {
    var astral = "\uD83C\uDF0D";
    var flag = "\uD83C\uDDFA\uD83C\uDDF8";
    for (var fitting :
        new String[] {
          "x".repeat(128_000), astral.repeat(128_000), flag.repeat(64_000), "\uD83C".repeat(128_000)
        }) {
      assertThat(RULES.evaluate(new Create("p", fitting), ALONE, NOT_ASKED)).isEqualTo(fine());
    }
    for (var excessive :
        new String[] {"x".repeat(128_001), astral.repeat(128_001), flag.repeat(64_000) + "x"}) {
      assertThat(refusal(new Create("p", excessive), ALONE, NOT_ASKED))
          .contains("128001 Unicode code points")
          .contains("1 to 128000");
    }
    assertThat(refusal(new Create("p", ""), ALONE, NOT_ASKED)).contains("has 0 ");
    assertThat(refusal(new Create(CLUSTER_SET, ""), ALONE, MANAGER)).contains("has 0 ");
  }

  /** Every combination that is refused says so in one sentence. */
  @Test
  void refusalsAreSentences() {
    var changes =
        new PropertyChange[] {
          new Create(CLUSTER_ID, "Bad"),
          new Create(CLUSTER_ID, "a".repeat(200)),
          new Create(CLUSTER_ID, "two"),
          new Update(CLUSTER_ID, "one", "two"),
          new Delete(CLUSTER_ID),
          new Create(CLUSTER_SET, "prod"),
          new Update(CLUSTER_SET, "prod", "test"),
          new Delete(CLUSTER_SET),
          new Create("x.k8s.io", "y"),
          new Create("x", "")
        };
    for (var change : changes) {
      for (var identity : new PropertyRules.Identity[] {NOBODY, ALONE, MEMBER}) {
        for (var who : new BooleanSupplier[] {MANAGER, ANYBODY}) {
          if (RULES.evaluate(change, identity, who) instanceof PropertyVerdict.Refused refused) {
            assertThat(refused.sentence())
                .matches("(?s)[A-Z].*: .*\\.")
                .doesNotContain("null", "Optional", "%");
          }
        }
      }
    }
  }

  private static PropertyVerdict fine() {
    return PropertyVerdict.allowed();
  }

  private static String refusal(
      PropertyChange change, PropertyRules.Identity identity, BooleanSupplier who) {
    return RULES.evaluate(change, identity, who) instanceof PropertyVerdict.Refused refused
        ? refused.sentence()
        : "not refused";
  }
}
