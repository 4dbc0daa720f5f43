package dev.muster.registry.stored;

import static dev.muster.validation.Default.code;
import static dev.muster.validation.Default.each;
import static dev.muster.validation.Default.in;

import dev.muster.model.json.JsonObject;
import dev.muster.validation.Default;
import java.util.List;

/**
 * Converts ResourceClaims, ResourceClaimTemplates and ResourceSlices of {@code
 * resource.k8s.io/v1beta1}.
 */
final class LegacyDeviceObjects {
  private static final List<String> EXACTLY =
      List.of(
          "deviceClassName",
          "selectors",
          "allocationMode",
          "count",
          "adminAccess",
          "tolerations",
          "capacity");

  private static final Default SPEC =
      in("devices", each("requests", code(LegacyDeviceObjects::request)));

  private static final Default SLICE =
      in("spec", each("devices", code(LegacyDeviceObjects::device)));

  private LegacyDeviceObjects() {}

  static JsonObject claim(JsonObject claim) {
    return in("spec", SPEC).apply(claim);
  }

  static JsonObject template(JsonObject template) {
    return in("spec", in("spec", SPEC)).apply(template);
  }

  static JsonObject slice(JsonObject slice) {
    return SLICE.apply(slice);
  }

  /**
   * Moves the fields of an exact request, which stood beside the alternatives, into {@code
   * exactly}.
   */
  private static JsonObject request(JsonObject request) {
    var rest = request;
    var exactly = JsonObject.builder();
    for (var field : EXACTLY) {
      var value = request.get(field);
      if (value != null) {
        exactly.put(field, value);
        rest = rest.without(field);
      }
    }
    return exactly.size() == 0 ? rest : rest.with("exactly", exactly.build());
  }

  private static JsonObject device(JsonObject device) {
    return device.get("basic") instanceof JsonObject basic
        ? device.without("basic").filledFrom(basic)
        : device;
  }
}
