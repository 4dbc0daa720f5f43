package dev.muster.server.request;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Forbidden;
import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import dev.muster.registry.request.ResourceRequest;

/** Checks permissions that a request needs in addition to the one for its own verb. */
public final class Permission {
  private static final GroupResource NAMESPACES = new GroupResource("", "namespaces");

  private Permission() {}

  /**
   * Requires that the user may create the object of the request. An update or apply that creates
   * its object needs it, and so does every request that opens a stream, whatever its HTTP method.
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

  /** The authorization attributes of the request's object with another verb. */
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
