package dev.muster.registry.commit;

import java.util.function.Consumer;

/**
 * What holds for all attempts at one write.
 *
 * @param key of the object that is about to be written; "" when that is not known yet
 * @param deadline until when it is tried
 * @param warnings takes the warnings of the attempt that counts
 * @param annotations takes what the attempt that counts has for the audit log
 * @param guard what it rests on beside the objects that it reads
 * @param newEnough the revision from which on a snapshot shows everything acknowledged before the
 *     write began; {@link #UNKNOWN} until somebody asks the store
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

  /** These terms of a write that is part of a request which has seen that revision. */
  public WriteConstraints since(long revision) {
    return new WriteConstraints(key, deadline, warnings, annotations, guard, revision);
  }
}
