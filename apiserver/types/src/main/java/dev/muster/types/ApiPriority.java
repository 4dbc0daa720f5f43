package dev.muster.types;

/**
 * How much a group and a version of it are preferred: upstream's numbers. Groups are shown in this
 * order, those of equal priority by name.
 *
 * @param version 0 when no APIService stands for the version
 */
public record ApiPriority(int group, int version) {
  /** Of what comes after all that upstream knows, and has no APIService of its own. */
  public static final ApiPriority NONE = new ApiPriority(0, 0);
}
