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
 * What a request is about, once it is routed and allowed.
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

  /** The field manager that the client names, or the first part of its User-Agent. */
  public String manager(String named) {
    if (!named.isEmpty()) {
      return named;
    }
    var userAgent = userAgent();
    int end = userAgent.indexOf('/');
    var name = end < 0 ? userAgent : userAgent.substring(0, end);
    return isPlain(name) ? name : printable(text(name));
  }

  /** A header's bytes, which HTTP takes for characters of their own, as the text that they are. */
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

  /** The characters that can be printed, as far as they fit. */
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
   * Refuses a name that no object can have because it could not be part of a path.
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

  /** This call, whose warnings somebody else takes. */
  public ResourceRequest withWarnings(Consumer<String> other) {
    return with(caller.withWarnings(other));
  }

  /** This call if its user has that permission, too. */
  public ResourceRequest alsoNeeding(WriteGuard other) {
    return with(caller.alsoNeeding(other));
  }

  private ResourceRequest with(RequestContext other) {
    return new ResourceRequest(type, subresource, namespace, name, query, other);
  }

  /** This call as if it had been sent with that query. */
  public ResourceRequest withQuery(Query other) {
    return new ResourceRequest(type, subresource, namespace, name, other, caller);
  }

  /** This call's user and deadline, for another object of the type. */
  public ResourceRequest about(String otherNamespace, String otherName) {
    return new ResourceRequest(type, "", otherNamespace, otherName, query, caller);
  }

  /**
   * What whoever admits this call is asked.
   *
   * @param objectName as in the path, or as generated; "" when it is not known
   * @param object as it would be stored; null for a delete
   * @param old what is stored now; null for a create
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

  /** What holds for the attempts to write that object; "" when its name is not known yet. */
  public WriteConstraints terms(String objectName) {
    return new WriteConstraints(
        objectName.isEmpty() ? "" : key(objectName),
        deadline(),
        warnings(),
        annotations(),
        guard());
  }

  /** What every write of this call rests on. */
  public WriteGuard guard() {
    return DefinitionGuard.of(type).and(permission()).and(PolicyRevisionGuard.guard(this));
  }

  /** The key of that object in the store. */
  public String key(String objectName) {
    return namespace.isEmpty()
        ? type.storage() + "/" + objectName
        : type.storage() + "/" + namespace + "/" + objectName;
  }

  /** The answer to an object that does not say its name. */
  public ApiException nameless() {
    return ApiException.badRequest(
        "the name of the object ("
            + name
            + " based on URL) was undeterminable: name must be provided");
  }
}
