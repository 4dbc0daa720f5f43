package dev.muster.types;

/**
 * The priorities of an API group and one of its versions, with upstream's numbers. Discovery lists
 * groups by priority, and groups of equal priority by name.
 *
 * @param version 0 when the version has no APIService
 */
public record ApiPriority(int group, int version) {
  /** The priority of groups that follow all of upstream's and have no APIService. */
  public static final ApiPriority NONE = new ApiPriority(0, 0);
}
