package dev.muster.multicluster.conformance;

import java.util.Locale;

/**
 * The requirements of the documents on fleets of API servers. Where kube-apiserver deviates from a
 * document (the namespace of the Leases, the format of the IDs), the document's form is a should,
 * and its purpose is a must.
 */
public enum FleetRequirement implements Requirement {
  IDENTITY_STORED(Document.IDENTITY, true, "A kube-apiserver will store its ID in a Lease object."),
  IDENTITY_UNIQUE(
      Document.IDENTITY, true, "Controllers can uniquely identify the kube-apiservers."),
  IDENTITY_LISTED(
      Document.IDENTITY, true, "Controllers have access to the list of IDs for living servers."),
  IDENTITY_NAMESPACE(
      Document.IDENTITY, false, "All Leases will be stored in the namespace kube-apiserver-lease."),
  IDENTITY_FORM(
      Document.IDENTITY, false, "We will use hostname+PID+random suffix (6 digits) as the ID."),
  IDENTITY_HOSTNAME(Document.IDENTITY, false, "The Lease says the hostname that the ID has."),
  IDENTITY_RENEWED(
      Document.IDENTITY, true, "Each kube-apiserver will refresh its Lease every 10s by default."),
  IDENTITY_DURATION(
      Document.IDENTITY, true, "leaseDurationSeconds is way longer than the refresh period."),
  IDENTITY_COLLECTED(
      Document.IDENTITY, true, "A Lease that is not refreshed for one to two hours is deleted."),
  IDENTITY_KEPT(
      Document.IDENTITY, true, "The Lease of a server that fails stays until it has expired."),
  IDENTITY_SKEWED(
      Document.IDENTITY, true, "A server whose clock is wrong is known as a living one."),

  DISCOVERY_FIELD(
      Document.DISCOVERY, true, "At each level of the discovery API there is Consistent."),
  DISCOVERY_REPORTED(
      Document.DISCOVERY, true, "The hash value is reported together with the API server's ID."),
  DISCOVERY_TOLD(
      Document.DISCOVERY, true, "Consistent says if all hash values recorded are equal."),
  DISCOVERY_SAME(
      Document.DISCOVERY, true, "If Consistent, all API servers serve the same documents."),
  DISCOVERY_AGREED(Document.DISCOVERY, false, "All API servers agree on the discovery documents."),
  DISCOVERY_COLLECTED(
      Document.DISCOVERY, false, "An entry that was not updated for 15 minutes is removed."),

  DUAL_STACK_SERVICE(
      Document.DUAL_STACK, true, "The Service is RequireDualStack, with an address per family."),
  DUAL_STACK_BACKED(
      Document.DUAL_STACK, true, "The Service is dual-stack only where API servers are."),
  DUAL_STACK_SLICES(
      Document.DUAL_STACK, true, "Publish dual-stack EndpointSlices when there are such servers."),
  DUAL_STACK_ENDPOINTS(Document.DUAL_STACK, true, "Endpoints is inherently single-stack."),
  DUAL_STACK_FIRST(
      Document.DUAL_STACK, false, "The Service has the first IP address in both ranges."),

  ENDPOINTS_LIVING(Document.ENDPOINTS, true, "Stale endpoints get cleaned up."),
  ENDPOINTS_COMPLETE(Document.ENDPOINTS, true, "Every running API server is in the endpoints."),
  ENDPOINTS_ALIKE(Document.ENDPOINTS, true, "Endpoints and EndpointSlices list the same servers."),
  ENDPOINTS_PORTS(Document.ENDPOINTS, true, "The endpoints have the port of the Service."),
  ENDPOINTS_STABLE(Document.ENDPOINTS, true, "The endpoints do not flap."),
  ENDPOINTS_QUIET(Document.ENDPOINTS, false, "Nothing is written while nothing changes."),
  ENDPOINTS_REMOVED(
      Document.ENDPOINTS, true, "The endpoint of a server that fails is removed in time."),
  ENDPOINTS_RETURNED(
      Document.ENDPOINTS, true, "The endpoint of a server that goes on is put back."),
  ENDPOINTS_REACHED(Document.ENDPOINTS, false, "At every endpoint an API server is reached.");

  /** A document, which a fleet implements or not. */
  public enum Document {
    IDENTITY("KEP-1965"),
    DISCOVERY("coordinated discovery"),
    DUAL_STACK("KEP-2438"),
    ENDPOINTS("apiserver-count");

    private final String title;

    Document(String title) {
      this.title = title;
    }
  }

  private final Document document;
  private final boolean must;
  private final String sentence;

  FleetRequirement(Document document, boolean must, String sentence) {
    this.document = document;
    this.must = must;
    this.sentence = sentence;
  }

  /** Whether only a fault shows it. */
  boolean needsFault() {
    return switch (this) {
      case IDENTITY_KEPT, IDENTITY_SKEWED, ENDPOINTS_REMOVED, ENDPOINTS_RETURNED -> true;
      default -> false;
    };
  }

  Document source() {
    return document;
  }

  @Override
  public boolean isMust() {
    return must;
  }

  @Override
  public String document() {
    return document.title;
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
