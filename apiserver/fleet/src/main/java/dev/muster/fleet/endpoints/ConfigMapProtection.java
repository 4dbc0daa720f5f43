package dev.muster.fleet.endpoints;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.fleet.endpoints.form.DesiredEndpoints;
import dev.muster.model.User;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import dev.muster.types.ObjectMeta;
import java.util.List;
import java.util.Map;

/**
 * Protects the ConfigMaps in which API servers record the endpoints of the {@code kubernetes}
 * Service. A write needs the same verb on the Endpoints of that Service: the roles {@code edit} and
 * {@code admin} have all verbs on ConfigMaps and none on Endpoints.
 */
final class ConfigMapProtection implements Admission {
  /** The protected names, by namespace. */
  private static final Map<String, String> NAMES =
      Map.of(
          DesiredEndpoints.NAMESPACE,
          ConfigMapRecords.NAME,
          ConfigMapRecords.CONFIG_NAMESPACE,
          ConfigMapRecords.CONFIG_NAME);

  private final Authorizer authorizer;

  ConfigMapProtection(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    if (request.operation() != AdmissionOperation.CONNECT
        && request.isFor("", "configmaps")
        && isProtected(request)
        && !mayWriteEndpoints(request)) {
      throw ApiException.forbidden(
          request.resource(),
          name(request),
          "API servers keep the endpoints of the kubernetes Service by it: it takes the verb \""
              + verb(request)
              + "\" on endpoints \"kubernetes\" in the namespace \"default\"");
    }
    return List.of();
  }

  private static boolean isProtected(AdmissionRequest request) {
    return name(request).equals(NAMES.get(request.namespace()));
  }

  /**
   * The name of the object itself: requests for collections and creates have none in their path.
   */
  private static String name(AdmissionRequest request) {
    var object = request.object() == null ? request.oldObject() : request.object();
    return object == null ? request.name() : ObjectMeta.name(object);
  }

  private boolean mayWriteEndpoints(AdmissionRequest request) {
    return request.user().in(User.MASTERS)
        || authorizer
            .authorize(
                Attributes.resource(
                    request.user(),
                    verb(request),
                    "",
                    "v1",
                    "endpoints",
                    "",
                    DesiredEndpoints.NAMESPACE,
                    DesiredEndpoints.NAME))
            .allowed();
  }

  private static String verb(AdmissionRequest request) {
    return request.operation() == AdmissionOperation.DELETE ? "delete" : "update";
  }
}
