package dev.muster.audit;

import java.util.Set;

/**
 * The level, stages and options that an audit policy selects for one request.
 *
 * @param omitted the stages without an event
 * @param omitManagedFields whether objects are logged without {@code metadata.managedFields}
 */
public record AuditDecision(AuditLevel level, Set<AuditStage> omitted, boolean omitManagedFields) {
  public AuditDecision {
    omitted = Set.copyOf(omitted);
  }
}
