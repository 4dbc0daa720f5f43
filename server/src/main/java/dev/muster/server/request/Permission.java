package dev.muster.server.request;

import dev.muster.access.Attributes;
import dev.muster.access.Authorizer;
import dev.muster.access.Forbidden;
import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import dev.muster.registry.request.Call;

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
  public static void toCreate(Authorizer authorizer, Call call) {
    var attributes = asked(call, "create", call.subresource());
    var decision = authorizer.authorize(attributes);
    if (!decision.allowed()) {
      throw Forbidden.of(attributes, decision);
    }
  }

  /** What is asked when the object of the call is to be treated with another verb. */
  public static Attributes asked(Call call, String verb, String subresource) {
    var resource = call.type().groupResource();
    return Attributes.resource(
        call.user(),
        verb,
        resource.group(),
        call.type().groupVersion().version(),
        resource.resource(),
        subresource,
        resource.equals(NAMESPACES) ? call.name() : call.namespace(),
        call.name());
  }
}
