package dev.muster.server.routes;

import dev.muster.model.json.JsonObject;
import dev.muster.server.request.Request;
import dev.muster.types.ServedType;

/** Reports the objects that clients send to the audit log. */
final class AuditRequestObjects {
  private AuditRequestObjects() {}

  /**
   * @param stored an object of that type, in its stored version
   */
  static void report(Request request, ServedType type, JsonObject stored) {
    var audit = request.audit();
    if (audit != null) {
      audit.requestObject(stored, type::fromStored, request.exchange().body().length);
    }
  }

  /**
   * @param object in the version in which it was sent
   */
  static void report(Request request, JsonObject object) {
    var audit = request.audit();
    if (audit != null) {
      audit.requestObject(object, same -> same, request.exchange().body().length);
    }
  }

  /** Reports a body that the server decodes only later, as it was sent. */
  static void tellBody(Request request) {
    var audit = request.audit();
    if (audit != null) {
      audit.requestBody(request.header("content-type"), request.exchange().body());
    }
  }

  static void tellPatch(Request request) {
    var audit = request.audit();
    if (audit != null) {
      audit.patch(request.header("content-type"), request.exchange().body());
    }
  }
}
