package dev.muster.audit;

/**
 * The target of a request in an audit event; "" for unknown parts.
 *
 * @param group the API group; also "" for the core group
 */
public record AuditedReference(
    String resource,
    String namespace,
    String name,
    String uid,
    String group,
    String version,
    String resourceVersion,
    String subresource) {

  /** A copy whose unknown parts are taken from the request object. */
  public AuditedReference filledFrom(
      String objectNamespace, String objectName, String objectUid, String objectVersion) {
    return new AuditedReference(
        resource,
        namespace.isEmpty() ? objectNamespace : namespace,
        name.isEmpty() ? objectName : name,
        uid.isEmpty() ? objectUid : uid,
        group,
        version,
        resourceVersion.isEmpty() ? objectVersion : resourceVersion,
        subresource);
  }
}
