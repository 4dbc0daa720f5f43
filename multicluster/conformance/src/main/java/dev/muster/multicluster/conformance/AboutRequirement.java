package dev.muster.multicluster.conformance;

import java.util.Locale;

/** The requirements of KEP-2149 on cluster identity, each a must or a should. */
public enum AboutRequirement implements Requirement {
  SERVED(true, "ClusterProperty is a cluster-scoped resource of about.k8s.io."),
  VALUE_REQUIRED(true, "The value is the one and only field of a ClusterProperty."),
  VALUE_LENGTH(true, "The value is a string of up to 128k Unicode code points."),
  VALUE_LIMIT(false, "The limit on the value is counted in Unicode code points."),
  ID_EXISTS(true, "The ID must exist for the duration of a cluster's membership."),
  ID_SUBDOMAIN(true, "The ID must be a valid RFC-1123 DNS subdomain."),
  ID_LENGTH(false, "The ID should be less than 128 characters in total."),
  ID_DNS(false, "DNS names composed of the ID should fit into the limit of 253 characters."),
  ID_UNIQUE(true, "The ID must be unique within the ClusterSet to which its cluster belongs."),
  ID_UNCHANGED(true, "The ID must not be changed for the duration of a membership."),
  ID_KEPT(true, "The ID must exist as long as a clusterset.k8s.io property exists."),
  SET_CONTENTS(true, "clusterset.k8s.io must associate the cluster with a ClusterSet."),
  SET_UNCHANGED(true, "clusterset.k8s.io must be immutable for the duration of a membership."),
  SET_NEEDS_ID(true, "A cluster without an ID must not be added to a ClusterSet."),
  NAMES_RESERVED(true, "The suffixes .k8s.io and .kubernetes.io are reserved."),
  NAMES_REFUSED(false, "Names with reserved suffixes are not taken."),
  NAMES_FREE(true, "Implementers may add properties with a suffix, operators without one.");

  private final boolean must;
  private final String sentence;

  AboutRequirement(boolean must, String sentence) {
    this.must = must;
    this.sentence = sentence;
  }

  @Override
  public boolean isMust() {
    return must;
  }

  @Override
  public String document() {
    return "KEP-2149";
  }

  @Override
  public String sentence() {
    return sentence;
  }

  @Override
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
