package dev.muster.audit;

/**
 * What a request is about; "" for what is not known.
 *
 * @param group the API group; "" for the core group, too
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

  /** This one, with what the object that was sent says of itself where nothing is known yet. */
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
