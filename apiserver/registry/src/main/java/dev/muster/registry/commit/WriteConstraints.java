package dev.muster.registry.commit;

import java.util.function.Consumer;

/**
 * The constraints of all attempts at one write.
 *
 * @param key the key of the object to write; "" when it is not known yet
 * @param deadline when retries end
 * @param warnings receives the warnings of the deciding attempt
 * @param annotations receives the audit annotations of the deciding attempt
 * @param guard preconditions beside the objects that the attempt reads
 * @param newEnough the first revision that contains every write acknowledged before this one began;
 *     {@link #UNKNOWN} until the read index is known
 */
public record WriteConstraints(
    String key,
    Deadline deadline,
    Consumer<String> warnings,
    AuditAnnotations annotations,
    WriteGuard guard,
    long newEnough) {
  static final long UNKNOWN = Long.MAX_VALUE;

  public WriteConstraints(String key, Deadline deadline, Consumer<String> warnings) {
    this(key, deadline, warnings, AuditAnnotations.IGNORED, WriteGuard.NONE);
  }

  public WriteConstraints(
      String key,
      Deadline deadline,
      Consumer<String> warnings,
      AuditAnnotations annotations,
      WriteGuard guard) {
    this(key, deadline, warnings, annotations, guard, UNKNOWN);
  }

  /** These constraints for a write of a request that has already seen that revision. */
  public WriteConstraints since(long revision) {
    return new WriteConstraints(key, deadline, warnings, annotations, guard, revision);
  }
}
