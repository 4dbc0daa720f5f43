package dev.muster.multicluster.conformance;

/** One requirement of a document. */
public sealed interface Requirement permits AboutRequirement, FleetRequirement {
  /** Whether a violation means non-conformance (must) or not (should). */
  boolean isMust();

  /** The usual name of the document. */
  String document();

  /** The sentence of the requirement. */
  String sentence();

  /** The identifier in reports. */
  String id();
}
