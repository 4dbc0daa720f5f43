package dev.muster.admission.namespaces;

import dev.muster.model.GroupResource;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionDenial;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.commit.RetryWhenChanged;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Creates the missing namespace of a create request. The write is then attempted again on a
 * snapshot that contains the namespace.
 */
public final class NamespaceAutoProvision implements Admission {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Consumer<String> namespaces;

  /**
   * @param namespaces creates a namespace of the given name with the server's rights
   */
  public NamespaceAutoProvision(Consumer<String> namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public JsonObject admit(AdmissionRequest request) {
    var name = request.namespace();
    if (request.operation() == AdmissionOperation.CREATE
        && !request.dryRun()
        && !name.isEmpty()
        && !request.isFor("", "namespaces")
        && !request.cluster().has("/namespaces", "", name)) {
      make(request);
      throw new RetryWhenChanged(
          ApiException.notFound(new GroupResource("", "namespaces"), name), PATIENCE);
    }
    return Admission.super.admit(request);
  }

  private void make(AdmissionRequest request) {
    try {
      namespaces.accept(request.namespace());
    } catch (ApiException e) {
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw AdmissionDenial.of(request, e.text());
      }
    }
  }
}
