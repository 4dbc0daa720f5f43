package dev.muster.validation.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.muster.model.validation.FieldError;
import dev.muster.validation.core.Verdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The subresources that change a part of a pod's spec. */
class PodPartsTest {
  private static final Verdicts POD = new Verdicts(PodRules.STRATEGY, true);
  private static final String ONLY_AMOUNTS = "only cpu and memory resources are mutable";

  private static String pod(String spec, String container) {
    return "{'spec':{'containers':[{'name':'c','image':'i'" + container + "}]" + spec + "}}";
  }

  private static String cpu(int amount, String more) {
    return ",'resources':{'requests':{'cpu':'" + amount + "'" + more + "}}";
  }

  private static String withClaim(int cpu) {
    return pod(
        ",'resourceClaims':[{'name':'g','resourceClaimName':'x'}]",
        ",'resources':{'requests':{'cpu':'" + cpu + "'},'claims':[{'name':'g'}]}");
  }

  static Stream<Arguments> resizes() {
    return Stream.of(
        arguments(pod("", cpu(1, "")), pod("", cpu(2, "")), List.of()),
        arguments(
            pod("", cpu(1, "")),
            pod("", cpu(2, ",'ephemeral-storage':'1'")),
            List.of("spec: Forbidden: " + ONLY_AMOUNTS)),
        arguments(withClaim(1), withClaim(2), List.of("spec: Forbidden: " + ONLY_AMOUNTS)),
        arguments(
            pod(",'resources':{}", ""), pod("", ""), List.of("spec: Forbidden: " + ONLY_AMOUNTS)),
        arguments(
            pod("", cpu(1, "")),
            pod(",'initContainers':[{'name':'a','image':'i'}]", cpu(1, "")),
            List.of(
                "spec.initContainers: Forbidden: initContainers may not be added or removed on"
                    + " resize")));
  }

  @ParameterizedTest
  @MethodSource("resizes")
  void onlyAmountsOfCpuAndMemoryAreResized(String before, String after, List<String> problems) {
    var old = POD.prepared(before);
    var errors = new ArrayList<FieldError>();
    ResizeRules.validate(ResizeRules.prepare(POD.prepared(after), old), old, errors);
    assertThat(errors).extracting(FieldError::toString).isEqualTo(problems);
  }

  static Stream<Arguments> lookingInside() {
    return Stream.of(
        arguments("", List.of()),
        arguments(",'resources':{}", List.of()),
        arguments(
            ",'lifecycle':{}",
            List.of(
                "spec.ephemeralContainers[0].lifecycle: Forbidden: cannot be set for an Ephemeral"
                    + " Container")),
        arguments(
            ",'restartPolicy':''",
            List.of(
                "spec.ephemeralContainers[0].restartPolicy: Forbidden: cannot be set for an"
                    + " Ephemeral Container")));
  }

  @ParameterizedTest
  @MethodSource("lookingInside")
  void containersThatLookInsideDoNothingElse(String members, List<String> problems) {
    var old = POD.prepared(pod("", ""));
    var ephemeral = ",'ephemeralContainers':[{'name':'e','image':'i'" + members + "}]";
    var errors = new ArrayList<FieldError>();
    EphemeralRules.validate(
        EphemeralRules.prepare(POD.prepared(pod(ephemeral, "")), old), old, errors);
    assertThat(errors).extracting(FieldError::toString).isEqualTo(problems);
  }
}
