package dev.muster.audit;

import java.util.Set;

/**
 * What a policy says about one request.
 *
 * @param omitted the stages of which there is no event
 * @param omitManagedFields whether objects are shown without {@code metadata.managedFields}
 */
public record AuditDecision(AuditLevel level, Set<AuditStage> omitted, boolean omitManagedFields) {
  public AuditDecision {
    omitted = Set.copyOf(omitted);
  }
}
