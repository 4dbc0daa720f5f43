package dev.muster.multicluster.conformance;

/** One thing that a document asks for, and how strongly. */
public sealed interface Requirement permits AboutRequirement, FleetRequirement {
  /** Whether who breaks it does not conform; otherwise it merely should not be broken. */
  boolean isMust();

  /** The document that asks for it, by its usual name. */
  String document();

  /** What the document says. */
  String sentence();

  /** For programs. */
  String id();
}
