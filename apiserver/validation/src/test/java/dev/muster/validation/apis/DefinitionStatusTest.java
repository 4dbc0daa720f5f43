package dev.muster.validation.apis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.types.Deletion;
import dev.muster.types.options.DeleteOptions;
import dev.muster.types.options.Query;
import dev.muster.validation.core.Verdicts;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionStatusTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final Instant LATER = NOW.plusSeconds(60);

  private static JsonObject definition(String group) {
    return Verdicts.json(
        """
        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
         "metadata":{"name":"widgets.%s","generation":1,"resourceVersion":"1"},
         "spec":{"group":"%s","scope":"Namespaced",
          "names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList"},
          "versions":[{"name":"v1","served":true,"storage":true,
           "schema":{"openAPIV3Schema":{"type":"object"}}}]},
         "status":{"storedVersions":["v1"]}}
        """
            .formatted(group, group));
  }

  private static JsonObject told(JsonObject definition, Instant now, JsonObject... others) {
    var claim = GroupNames.Claim.of(definition, 2);
    var claims = new ArrayList<GroupNames.Claim>();
    claims.add(claim);
    for (var other : others) {
      claims.add(GroupNames.Claim.of(other, 1));
    }
    return DefinitionStatus.of(definition, claim, GroupNames.of(claims), now);
  }

  private static List<String> conditions(JsonObject definition) {
    return definition.object("status").array("conditions").objects().stream()
        .map(
            condition ->
                "%s=%s %s %s: %s"
                    .formatted(
                        condition.string("type"),
                        condition.string("status"),
                        condition.string("lastTransitionTime"),
                        condition.string("reason"),
                        condition.string("message")))
        .toList();
  }

  @Test
  void aNewDefinitionIsEstablishedAtOnce() {
    var told = told(definition("example.com"), NOW);
    assertThat(conditions(told))
        .containsExactly(
            "NamesAccepted=True 2026-01-02T03:04:05Z NoConflicts: no conflicts found",
            "Established=True 2026-01-02T03:04:05Z InitialNamesAccepted: the initial names have"
                + " been accepted");
    assertThat(told.object("status").object("acceptedNames"))
        .isEqualTo(told.object("spec").object("names"));
    assertThat(told.object("status").array("storedVersions").strings()).containsExactly("v1");
  }

  @Test
  void whatHasBeenSaidIsNotSaidAgain() {
    var told = told(definition("example.com"), NOW);
    assertThat(told(told, LATER)).isSameAs(told);
  }

  @Test
  void aDefinitionWithoutItsNamesIsNotEstablishedUntilTheyAreFree() {
    var owner = told(definition("example.com"), NOW);
    var wanted =
        definition("example.com")
            .withAt(Json.of("gadgets.example.com"), "metadata", "name")
            .withAt(Json.of("gadgets"), "spec", "names", "plural");
    var refused = told(wanted, NOW, owner);
    assertThat(conditions(refused))
        .containsExactly(
            "NamesAccepted=False 2026-01-02T03:04:05Z ListKindConflict: \"WidgetList\" is already"
                + " in use",
            "Established=False 2026-01-02T03:04:05Z NotAccepted: not all names are accepted");
    assertThat(refused.object("status").object("acceptedNames"))
        .isEqualTo(JsonObject.of("plural", "gadgets"));
    assertThat(conditions(told(refused, LATER)))
        .containsExactly(
            "NamesAccepted=True 2026-01-02T03:05:05Z NoConflicts: no conflicts found",
            "Established=True 2026-01-02T03:05:05Z InitialNamesAccepted: the initial names have"
                + " been accepted");
  }

  @Test
  void whatIsEstablishedStaysSoWhateverItWantsNext() {
    var owner = told(definition("example.com"), NOW);
    var other =
        told(
            definition("example.com")
                .withAt(Json.of("gadgets.example.com"), "metadata", "name")
                .withAt(
                    JsonObject.of(
                        "plural",
                        "gadgets",
                        "singular",
                        "gadget",
                        "kind",
                        "Gadget",
                        "listKind",
                        "GadgetList"),
                    "spec",
                    "names"),
            NOW);
    var greedy =
        other.withAt(JsonArray.ofStrings(List.of("widget")), "spec", "names", "shortNames");
    assertThat(conditions(told(greedy, LATER, owner)))
        .containsExactly(
            "NamesAccepted=False 2026-01-02T03:05:05Z ShortNamesConflict: \"widget\" is already in"
                + " use",
            "Established=True 2026-01-02T03:04:05Z InitialNamesAccepted: the initial names have"
                + " been accepted");
  }

  @Test
  void groupsOfTheCommunitySayWhetherTheyAreApproved() {
    var definition = definition("x.k8s.io");
    assertThat(conditions(told(definition, NOW)).get(2))
        .isEqualTo(
            "KubernetesAPIApprovalPolicyConformant=False 2026-01-02T03:04:05Z MissingAnnotation:"
                + " protected groups must have approval annotation \"api-approved.kubernetes.io\","
                + " see https://github.com/kubernetes/enhancements/pull/1111");
    var approved = "https://github.com/kubernetes/enhancements/pull/1111";
    for (var each :
        List.of(
            List.of(
                "unapproved, test",
                "False",
                "UnapprovedAnnotation: not approved: \"unapproved, test\""),
            List.of(approved, "True", "ApprovedAnnotation: approved in " + approved),
            List.of(
                "x",
                "False",
                "InvalidAnnotation: protected groups must have approval annotation"
                    + " \"api-approved.kubernetes.io\" with either a URL or a reason starting with"
                    + " \"unapproved\", see"
                    + " https://github.com/kubernetes/enhancements/pull/1111"))) {
      var annotated =
          definition.withAt(
              Json.of(each.get(0)), "metadata", "annotations", "api-approved.kubernetes.io");
      assertThat(conditions(told(annotated, NOW)).get(2))
          .isEqualTo(
              "KubernetesAPIApprovalPolicyConformant="
                  + each.get(1)
                  + " 2026-01-02T03:04:05Z "
                  + each.get(2));
    }
  }

  @Test
  void schemasThatAreNotStructuralAreNamedAndForgotten() {
    var definition = definition("example.com");
    var broken =
        definition
            .withAt(Json.of(true), "spec", "preserveUnknownFields")
            .withAt(
                Verdicts.json(
                        """
                        {"v":[{"name":"v1","schema":{"openAPIV3Schema":{"type":"object",
                          "properties":{"a":{}}}}}]}
                        """)
                    .array("v"),
                "spec",
                "versions");
    var told = told(broken, NOW);
    assertThat(conditions(told).get(2))
        .isEqualTo(
            "NonStructuralSchema=True 2026-01-02T03:04:05Z Violations:"
                + " [spec.preserveUnknownFields: Invalid value: true: must be false,"
                + " spec.versions[0].schema.openAPIV3Schema.properties[a].type: Required value:"
                + " must not be empty for specified object fields]");
    var mended = told.with("spec", definition.object("spec"));
    assertThat(conditions(told(mended, LATER))).hasSize(2);
  }

  @Test
  void aWebhookWithoutUsableAuthoritiesKeepsADefinitionFromBeingEstablished() {
    var nonsense = Base64.getEncoder().encodeToString("nonsense".getBytes(StandardCharsets.UTF_8));
    var told =
        told(
            definition("example.com")
                .withAt(
                    Json.of(nonsense), "spec", "conversion", "webhook", "clientConfig", "caBundle"),
            NOW);
    assertThat(conditions(told).get(1))
        .isEqualTo(
            "Established=False 2026-01-02T03:04:05Z InvalidCABundle: The conversion webhook"
                + " CABundle is invalid");
  }

  @Test
  void aDeleteMarksAndHoldsTheDefinition() {
    var told = told(definition("example.com"), NOW);
    var deletion =
        DefinitionRules.STRATEGY.deletion(
            told, DeleteOptions.of(JsonObject.EMPTY, Query.NONE), LATER);
    assertThat(deletion).isInstanceOf(Deletion.Mark.class);
    var marked = ((Deletion.Mark) deletion).marked();
    assertThat(marked.object("metadata"))
        .isEqualTo(
            told.object("metadata")
                .with("deletionTimestamp", "2026-01-02T03:05:05Z")
                .with(
                    "finalizers",
                    JsonArray.ofStrings(List.of("customresourcecleanup.apiextensions.k8s.io"))));
    assertThat(conditions(marked).get(2))
        .isEqualTo(
            "Terminating=True 2026-01-02T03:05:05Z InstanceDeletionPending:"
                + " CustomResourceDefinition marked for deletion; CustomResource deletion will"
                + " begin soon");
    var finished = DefinitionRemoval.finished(marked, LATER);
    assertThat(finished.object("metadata").has("finalizers")).isFalse();
    assertThat(conditions(finished).get(2))
        .endsWith("InstanceDeletionCompleted: removed all instances");
  }

  @Test
  void whatWasNeverEstablishedIsLookedThroughAllTheSame() {
    var definition = definition("example.com");
    assertThat(DefinitionRemoval.mayHaveObjects(definition)).isTrue();
    assertThat(conditions(DefinitionRemoval.finished(definition, NOW)))
        .containsExactly(
            "Terminating=False 2026-01-02T03:04:05Z NeverEstablished: resource was never"
                + " established");
  }

  @Test
  void whatLiesWhereBuiltInObjectsLieIsLeftAlone() {
    var overlapping =
        told(
            definition("apiregistration.k8s.io")
                .withAt(Json.of("apiservices"), "spec", "names", "plural"),
            NOW);
    assertThat(DefinitionRemoval.mayHaveObjects(overlapping)).isFalse();
    assertThat(conditions(DefinitionRemoval.finished(overlapping, NOW)).getLast())
        .endsWith(
            "OverlappingBuiltInResource: instances overlap with built-in resources in storage");
  }
}
