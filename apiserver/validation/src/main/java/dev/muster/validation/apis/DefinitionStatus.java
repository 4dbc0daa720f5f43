package dev.muster.validation.apis;

import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.FieldError;
import dev.muster.pki.PemBlock;
import dev.muster.replica.object.StoredObject;
import dev.muster.validation.FieldCursor;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes the complete status of a definition: the accepted names, and the conditions that several
 * of kube-apiserver's controllers set. The computation is a pure function and idempotent.
 */
public final class DefinitionStatus {
  private static final String NON_STRUCTURAL = "NonStructuralSchema";
  private static final String ESTABLISHED = "Established";
  private static final String NAMES_ACCEPTED = "NamesAccepted";

  /** Conditions that report no problem, or that do not depend on schemas. */
  private static final Set<String> USUAL =
      Set.of(NAMES_ACCEPTED, ESTABLISHED, "KubernetesAPIApprovalPolicyConformant");

  private DefinitionStatus() {}

  /**
   * The definition with its computed status; the same instance when the status is already right.
   *
   * @param names the names of its group at the revision at which the definition was read
   */
  public static JsonObject of(
      JsonObject definition, GroupNames.Claim claim, GroupNames names, Instant now) {
    var decision = names.of(claim);
    var conditions = DefinitionConditions.of(definition).with(decision.condition(), now);
    conditions = conditions.with(established(definition, conditions), now);
    conditions = approved(definition, conditions, now);
    var violation = violation(definition);
    conditions =
        violation == null ? conditions.without(NON_STRUCTURAL) : conditions.with(violation, now);
    var said = conditions.in(definition);
    return decision.accepted().equals(claim.accepted())
        ? said
        : said.withAt(decision.accepted(), "status", "acceptedNames");
  }

  /**
   * Whether the status of a stored definition is complete, as far as this is known without its
   * schemas.
   */
  public static boolean isWhole(StoredObject definition) {
    if (definition.has("metadata", "deletionTimestamp")) {
      return false;
    }
    var status = definition.part("status");
    var conditions = new DefinitionConditions(status.array("conditions").objects());
    return conditions.isTrue(NAMES_ACCEPTED)
        && conditions.isTrue(ESTABLISHED)
        && conditions.all().stream()
            .map(condition -> condition.string("type"))
            .allMatch(USUAL::contains);
  }

  /** A definition that was Established once stays Established. */
  private static DefinitionConditions.Condition established(
      JsonObject definition, DefinitionConditions conditions) {
    if (conditions.isTrue(ESTABLISHED)) {
      var old = conditions.find(ESTABLISHED);
      return established("True", old.string("reason"), old.string("message"));
    }
    if (!conditions.isTrue(NAMES_ACCEPTED)) {
      return established("False", "NotAccepted", "not all names are accepted");
    }
    var bundle =
        definition.object("spec", "conversion", "webhook", "clientConfig").string("caBundle");
    return bundle.isEmpty() || holdsCertificate(bundle)
        ? established("True", "InitialNamesAccepted", "the initial names have been accepted")
        : established("False", "InvalidCABundle", "The conversion webhook CABundle is invalid");
  }

  private static DefinitionConditions.Condition established(
      String status, String reason, String message) {
    return new DefinitionConditions.Condition(ESTABLISHED, status, reason, message);
  }

  private static boolean holdsCertificate(String bundle) {
    try {
      return PemBlock.all(Base64.getDecoder().decode(bundle)).stream()
          .anyMatch(DefinitionStatus::isCertificate);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isCertificate(PemBlock block) {
    try {
      var factory = CertificateFactory.getInstance("X.509");
      return block.type().equals("CERTIFICATE")
          && !block.hasHeaders()
          && factory.generateCertificate(new ByteArrayInputStream(block.bytes())) != null;
    } catch (CertificateException e) {
      return false;
    }
  }

  private static DefinitionConditions approved(
      JsonObject definition, DefinitionConditions conditions, Instant now) {
    if (!DefinitionApproval.isNeeded(definition.object("spec").string("group"))) {
      return conditions;
    }
    var annotation =
        definition.object("metadata", "annotations").string(DefinitionApproval.ANNOTATION);
    return conditions.with(DefinitionApproval.of(annotation).condition(annotation), now);
  }

  /** The condition about schemas that are not structural, which old definitions may have. */
  private static DefinitionConditions.@Nullable Condition violation(JsonObject definition) {
    var errors = new ArrayList<FieldError>();
    var spec = FieldCursor.of(definition, null, errors).at("spec");
    if (definition.object("spec").isTrue("preserveUnknownFields")) {
      spec.at("preserveUnknownFields").invalid(JsonBool.TRUE, "must be false");
    }
    for (var version : spec.at("versions").items()) {
      var schema = version.at("schema", "openAPIV3Schema");
      if (schema.isAbsent()) {
        continue;
      }
      var problem = StructuralForm.problem(schema.object());
      if (!problem.isEmpty()) {
        return new DefinitionConditions.Condition(
            NON_STRUCTURAL,
            "Unknown",
            "StructuralError",
            "failed to check validation schema for version %s: %s"
                .formatted(version.at("name").text(), problem));
      }
      errors.addAll(StructuralRules.check(schema));
    }
    return errors.isEmpty()
        ? null
        : new DefinitionConditions.Condition(
            NON_STRUCTURAL, "True", "Violations", FieldError.join(errors));
  }
}
