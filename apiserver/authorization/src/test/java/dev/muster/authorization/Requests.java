package dev.muster.authorization;

import dev.muster.model.GroupVersion;
import dev.muster.model.User;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Reinvocation;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.schema.StructShape;
import dev.muster.types.ClusterView;
import dev.muster.types.ServedType;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.validation.ResourceRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short ways to write the requests that admission sees. */
public final class Requests {
  private final ClusterView cluster;

  /** The warnings of all requests so far. */
  public final List<String> warnings = new ArrayList<>();

  private Duration patience = Duration.ofMinutes(1);
  private User user = User.of("jane", User.ALL_AUTHENTICATED);

  public Requests(ClusterView cluster) {
    this.cluster = cluster;
  }

  public Requests by(User other) {
    user = other;
    return this;
  }

  /** Requests from now on must be answered within that time. */
  public Requests within(Duration time) {
    patience = time;
    return this;
  }

  public static ServedType type(String apiVersion, String kind, String plural) {
    var gvk = GroupVersion.parse(apiVersion).kind(kind);
    var builtIn = FakeCluster.TYPES.ofKind(gvk);
    return builtIn != null
        ? builtIn
        : new ServedTypeBuilder(
                gvk, plural, true, new StructShape(kind, false), ResourceRules.namespaced().build())
            .build();
  }

  public AdmissionRequest create(ServedType type, JsonObject object) {
    return request(AdmissionOperation.CREATE, type, "", object, null);
  }

  public AdmissionRequest update(ServedType type, JsonObject object, JsonObject old) {
    return request(AdmissionOperation.UPDATE, type, "", object, old);
  }

  public AdmissionRequest delete(ServedType type, JsonObject old) {
    return request(AdmissionOperation.DELETE, type, "", null, old);
  }

  /** A delete of a whole collection, in which nobody names the object. */
  public AdmissionRequest deleteMember(ServedType type, JsonObject old) {
    return new AdmissionRequest(
        AdmissionOperation.DELETE,
        type,
        "",
        old.object("metadata").string("namespace"),
        "",
        null,
        old,
        user,
        false,
        JsonObject.EMPTY,
        cluster,
        Deadline.after(patience),
        warnings::add,
        new AuditAnnotations(true),
        new Reinvocation());
  }

  public AdmissionRequest request(
      AdmissionOperation operation,
      ServedType type,
      String subresource,
      @Nullable JsonObject object,
      @Nullable JsonObject old) {
    var metadata =
        (object == null ? old == null ? JsonObject.EMPTY : old : object).object("metadata");
    return new AdmissionRequest(
        operation,
        type,
        subresource,
        metadata.string("namespace"),
        metadata.string("name"),
        object,
        old,
        user,
        false,
        JsonObject.EMPTY,
        cluster,
        Deadline.after(patience),
        warnings::add,
        new AuditAnnotations(true),
        new Reinvocation());
  }
}
