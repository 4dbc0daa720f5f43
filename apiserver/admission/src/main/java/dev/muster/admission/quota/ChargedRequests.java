package dev.muster.admission.quota;

import dev.muster.model.quota.ClaimMeasure;
import dev.muster.model.quota.CountMeasure;
import dev.muster.model.quota.DeviceMeasure;
import dev.muster.model.quota.Measure;
import dev.muster.model.quota.PodMeasure;
import dev.muster.model.quota.ServiceMeasure;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;

/** Decides which requests can change quota usage. */
final class ChargedRequests {
  private ChargedRequests() {}

  static boolean isCharged(AdmissionRequest request, Measure measure) {
    return switch (measure) {
      case PodMeasure _ -> ofPod(request);
      case ClaimMeasure _ -> ofClaim(request);
      case CountMeasure _ ->
          request.operation() == AdmissionOperation.CREATE && request.subresource().isEmpty();
      case ServiceMeasure _ -> ofWhole(request);
      case DeviceMeasure _ -> ofWhole(request);
    };
  }

  private static boolean ofWhole(AdmissionRequest request) {
    return request.subresource().isEmpty() && request.createsOrUpdates();
  }

  private static boolean ofPod(AdmissionRequest request) {
    return switch (request.subresource()) {
      case "" ->
          request.operation() == AdmissionOperation.CREATE
              || (request.operation() == AdmissionOperation.UPDATE
                  && PodMeasure.ends(request.mustObject())
                      != PodMeasure.ends(request.mustOldObject()));
      case "resize" -> request.operation() == AdmissionOperation.UPDATE;
      default -> false;
    };
  }

  private static boolean ofClaim(AdmissionRequest request) {
    return switch (request.subresource()) {
      case "" -> request.createsOrUpdates();
      case "status" -> request.operation() == AdmissionOperation.UPDATE;
      default -> false;
    };
  }
}
