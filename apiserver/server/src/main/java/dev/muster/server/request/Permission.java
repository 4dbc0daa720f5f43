package dev.muster.server.request;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Forbidden;
import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import dev.muster.registry.request.ResourceRequest;

/** What a call needs beside the permission for its own verb. */
public final class Permission {
  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

  private Permission() {}

  /**
   * Asks whether the user may create what the call names: an object that an update or an apply does
   * not find, or a stream, whatever the method that opens it.
   *
   * @throws ApiException Forbidden
   */
  public static void toCreate(Authorizer authorizer, ResourceRequest resourceRequest) {
    var attributes = asked(resourceRequest, "create", resourceRequest.subresource());
    var decision = authorizer.authorize(attributes);
    if (!decision.allowed()) {
      throw Forbidden.of(attributes, decision);
    }
  }

  /** What is asked when the object of the call is to be treated with another verb. */
  public static Attributes asked(ResourceRequest resourceRequest, String verb, String subresource) {
    var resource = resourceRequest.type().groupResource();
    return Attributes.resource(
        resourceRequest.user(),
        verb,
        resource.group(),
        resourceRequest.type().groupVersion().version(),
        resource.resource(),
        subresource,
        resource.equals(NAMESPACES) ? resourceRequest.name() : resourceRequest.namespace(),
        resourceRequest.name());
  }
}
