package dev.muster.registry.request;

import dev.muster.model.User;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.Names;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Reinvocation;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.registry.commit.WriteConstraints;
import dev.muster.registry.commit.WriteGuard;
import dev.muster.types.ClusterView;
import dev.muster.types.ServedType;
import dev.muster.types.options.Query;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A routed and authorized request for a resource.
 *
 * @param subresource "" for the resource itself
 * @param namespace "" for cluster-scoped resources and for all namespaces
 * @param name "" for collections
 */
public record ResourceRequest(
    ServedType type,
    String subresource,
    String namespace,
    String name,
    Query query,
    RequestContext caller) {
  private static final int LONGEST_MANAGER = 128;

  public User user() {
    return caller.user();
  }

  public String userAgent() {
    return caller.userAgent();
  }

  public Deadline deadline() {
    return caller.deadline();
  }

  public Consumer<String> warnings() {
    return caller.warnings();
  }

  public AuditAnnotations annotations() {
    return caller.annotations();
  }

  public WriteGuard permission() {
    return caller.permission();
  }

  /** The given field manager, or else the first part of the User-Agent. */
  public String manager(String named) {
    if (!named.isEmpty()) {
      return named;
    }
    var userAgent = userAgent();
    int end = userAgent.indexOf('/');
    var name = end < 0 ? userAgent : userAgent.substring(0, end);
    return isPlain(name) ? name : printable(text(name));
  }

  /** Decodes a header as UTF-8; HTTP has read each byte as one character. */
  private static String text(String header) {
    return new String(header.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < ' ' || name.charAt(i) > '~') {
        return false;
      }
    }
    return name.length() <= LONGEST_MANAGER;
  }

  /** The printable characters, up to the maximum length. */
  private static String printable(String name) {
    var kept = new StringBuilder();
    int bytes = 0;
    for (int c : name.codePoints().filter(GoText::isPrint).toArray()) {
      bytes += GoText.bytes(Character.toString(c));
      if (bytes > LONGEST_MANAGER) {
        break;
      }
      kept.appendCodePoint(c);
    }
    return kept.toString();
  }

  /**
   * Refuses a name that cannot be a path segment.
   *
   * @throws ApiException BadRequest
   */
  public void checkName() {
    var problems = Names.pathSegment(name);
    if (!problems.isEmpty()) {
      throw ApiException.badRequest(
          "Name parameter invalid: " + GoText.quote(name) + ": " + String.join(";", problems));
    }
  }

  /** This request with another receiver of warnings. */
  public ResourceRequest withWarnings(Consumer<String> other) {
    return with(caller.withWarnings(other));
  }

  /** This request with an additional permission that its user needs. */
  public ResourceRequest alsoNeeding(WriteGuard other) {
    return with(caller.alsoNeeding(other));
  }

  private ResourceRequest with(RequestContext other) {
    return new ResourceRequest(type, subresource, namespace, name, query, other);
  }

  /** This request with another query. */
  public ResourceRequest withQuery(Query other) {
    return new ResourceRequest(type, subresource, namespace, name, other, caller);
  }

  /** A request of the same user and deadline for another object of the type. */
  public ResourceRequest about(String otherNamespace, String otherName) {
    return new ResourceRequest(type, "", otherNamespace, otherName, query, caller);
  }

  /**
   * The admission request for this request.
   *
   * @param objectName the name in the path or the generated name; "" when it is unknown
   * @param object the object to store; null for a delete
   * @param old the stored object; null for a create
   * @param options CreateOptions, UpdateOptions, PatchOptions or DeleteOptions
   */
  public AdmissionRequest admission(
      AdmissionOperation operation,
      String objectName,
      @Nullable JsonObject object,
      @Nullable JsonObject old,
      boolean dryRun,
      JsonObject options,
      ClusterView cluster) {
    return new AdmissionRequest(
        operation,
        type,
        subresource,
        namespace,
        objectName,
        object,
        old,
        user(),
        dryRun,
        options,
        cluster,
        deadline(),
        warnings(),
        annotations(),
        new Reinvocation());
  }

  /** The constraints for writes of that object; "" when its name is not known yet. */
  public WriteConstraints terms(String objectName) {
    return new WriteConstraints(
        objectName.isEmpty() ? "" : key(objectName),
        deadline(),
        warnings(),
        annotations(),
        guard());
  }

  /** The guard of every write of this request. */
  public WriteGuard guard() {
    return DefinitionGuard.of(type).and(permission()).and(PolicyRevisionGuard.guard(this));
  }

  /** The store key of that object. */
  public String key(String objectName) {
    return namespace.isEmpty()
        ? type.storage() + "/" + objectName
        : type.storage() + "/" + namespace + "/" + objectName;
  }

  /** The error response for an object without a name. */
  public ApiException nameless() {
    return ApiException.badRequest(
        "the name of the object ("
            + name
            + " based on URL) was undeterminable: name must be provided");
  }
}
