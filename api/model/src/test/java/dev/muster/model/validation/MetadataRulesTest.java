package dev.muster.model.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GeneratedName;
import dev.muster.model.Uuid;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MetadataRulesTest {
  private static final FieldPath METADATA = FieldPath.of("metadata");

  private static List<String> create(JsonObject metadata) {
    var errors = new ArrayList<FieldError>();
    MetadataRules.create(metadata, true, NameRule.DNS_SUBDOMAIN, METADATA, errors);
    MetadataRules.contents(metadata, METADATA, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  private static List<String> update(JsonObject metadata, JsonObject old) {
    var errors = new ArrayList<FieldError>();
    MetadataRules.update(metadata, old, METADATA, errors);
    MetadataRules.contentsOfUpdate(metadata, METADATA, errors);
    return errors.stream().map(FieldError::toString).toList();
  }

  private static final JsonObject PLAIN = JsonObject.of("name", "a", "namespace", "n");

  @Test
  void aPlainObjectIsFine() {
    assertThat(create(PLAIN)).isEmpty();
  }

  @Test
  void aNameIsRequired() {
    assertThat(create(JsonObject.of("namespace", "n")))
        .containsExactly("metadata.name: Required value: name or generateName is required");
  }

  @Test
  void annotationsMayNotBeTooLarge() {
    var large = JsonObject.of("a", "x".repeat(LabelRules.MOST_ANNOTATION_BYTES));
    assertThat(create(PLAIN.with("annotations", large)))
        .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
  }

  @Test
  void ownersNeedAllTheirParts() {
    var owners = JsonArray.of(JsonObject.of("apiVersion", "v1", "kind", "Event", "name", "e"));
    assertThat(create(PLAIN.with("ownerReferences", owners)))
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .isEqualTo(
                        "metadata.ownerReferences.uid: Invalid value: \"\": must not be empty"),
            second ->
                assertThat(second).endsWith("/v1, Kind=Event is disallowed from being an owner"));
  }

  @Test
  void onlyOneOwnerIsTheController() {
    var one =
        JsonObject.of(
            "apiVersion", "apps/v1", "kind", "A", "name", "a", "uid", "1", "controller", true);
    assertThat(create(PLAIN.with("ownerReferences", JsonArray.of(one, one.with("name", "b")))))
        .singleElement()
        .asString()
        .endsWith("Found \"true\" in references for A/a and A/b");
  }

  @Test
  void identityMayNotChange() {
    var old =
        JsonObject.of(
            "name", "a", "uid", "1", "creationTimestamp", "2026-01-01T00:00:00Z", "generation", 2);
    var changed = JsonObject.of("name", "b", "resourceVersion", "5", "generation", 1);
    assertThat(update(changed, old))
        .containsExactly(
            "metadata.generation: Invalid value: 1: must not be decremented",
            "metadata.name: Invalid value: \"b\": field is immutable",
            "metadata.uid: Invalid value: \"\": field is immutable",
            "metadata.creationTimestamp: Invalid value: null: field is immutable");
  }

  @Test
  void aDeletedObjectGetsNoNewFinalizers() {
    var old =
        JsonObject.of(
            "deletionTimestamp",
            "2026-01-01T00:00:00Z",
            "finalizers",
            JsonArray.ofStrings(List.of("x.example/a")));
    var changed =
        old.with("finalizers", JsonArray.ofStrings(List.of("x.example/a", "x.example/b")))
            .with("resourceVersion", "1");
    assertThat(update(changed, old))
        .containsExactly(
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                + " deleted, found new finalizers []string{\"x.example/b\"}");
  }

  @Test
  void managersArePrintable() {
    var entries = JsonArray.of(JsonObject.of("operation", "Put", "manager", "a\u0007"));
    assertThat(create(PLAIN.with("managedFields", entries)))
        .containsExactly(
            "metadata.managedFields[0].operation: Invalid value: \"Put\": must be `Apply` or"
                + " `Update`",
            "metadata.managedFields[0].manager: Invalid value: \"a\\a\": invalid character U+0007"
                + " (at position 1)");
  }

  @Test
  void generatedNamesAreCutAndRandom() {
    var name = GeneratedName.of("n".repeat(80), new Random(1));
    assertThat(name).hasSize(63).matches("n{58}[bcdfghjklmnpqrstvwxz2456789]{5}");
    assertThat(Uuid.random(new Random(1)))
        .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  }
}
