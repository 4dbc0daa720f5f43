package dev.muster.embedded;

import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.model.status.Reason;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.wire.JsonReader;
import dev.muster.wire.JsonWriter;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write before it is stored. Only the thread of its request uses it. */
public final class WriteReview {
  /** Loaded on first use of fabric8's types, which may not be on the class path. */
  private static final class Fabric8 {
    static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  }

  private final String rule;
  private final AdmissionRequest request;
  private @Nullable JsonObject changed;
  private @Nullable ApiException refusal;

  WriteReview(String rule, AdmissionRequest request) {
    this.rule = rule;
    this.request = request;
  }

  /** {@code CREATE}, {@code UPDATE}, {@code DELETE} or {@code CONNECT}. */
  public String operation() {
    return request.operation().name();
  }

  /** Such as {@code Pod}. */
  public String kind() {
    return request.type().kind().kind();
  }

  /** Such as {@code v1} or {@code apps/v1}. */
  public String apiVersion() {
    return request.type().kind().apiVersion();
  }

  /** Such as {@code status}; "" for the resource itself. */
  public String subresource() {
    return request.subresource();
  }

  /** "" for cluster-scoped objects. */
  public String namespace() {
    return request.namespace();
  }

  /**
   * The object's name, also in a deletecollection, where a webhook sees none. "" for an object
   * without a name yet.
   */
  public String name() {
    return request.name();
  }

  public String user() {
    return request.user().name();
  }

  public List<String> groups() {
    return request.user().groups();
  }

  public boolean isDryRun() {
    return request.dryRun();
  }

  /** Whether the write creates or updates an object of that kind, not a subresource. */
  public boolean writes(String kind) {
    return kind().equals(kind) && subresource().isEmpty() && request.createsOrUpdates();
  }

  /** The object to be stored; empty for a delete. */
  public Optional<GenericKubernetesResource> object() {
    return object(GenericKubernetesResource.class);
  }

  /** The object to be stored, converted to a type of your choice. */
  public <T> Optional<T> object(Class<T> type) {
    return read(changed == null ? request.object() : changed, type);
  }

  /** The stored object; empty for a create. */
  public <T> Optional<T> oldObject(Class<T> type) {
    return read(request.oldObject(), type);
  }

  private static <T> Optional<T> read(@Nullable JsonObject object, Class<T> type) {
    return object == null
        ? Optional.empty()
        : Optional.of(Fabric8.SERIALIZATION.unmarshal(text(object), type));
  }

  /** The object to be stored, as JSON; "" for a delete. */
  public String json() {
    var object = changed == null ? request.object() : changed;
    return object == null ? "" : text(object);
  }

  private static String text(JsonObject object) {
    return new String(JsonWriter.bytes(object), StandardCharsets.UTF_8);
  }

  /** Stores this object of fabric8's model instead. */
  public void replace(Object object) {
    replaceJson(Fabric8.SERIALIZATION.asJson(object));
  }

  /**
   * Stores this JSON object instead.
   *
   * @throws IllegalArgumentException when it is not a JSON object
   */
  public void replaceJson(String json) {
    if (!(JsonReader.read(json.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject object)) {
      throw new IllegalArgumentException("not a JSON object: " + json);
    }
    changed = object;
  }

  /** Sends a warning to the client; kubectl prints it. */
  public void warn(String text) {
    request.warnings().accept(text);
  }

  /** Refuses the write with 403 and this message after the rule returns. */
  public void deny(String message) {
    refusal =
        new ApiException(
            Reason.FORBIDDEN,
            "admission webhook \"%s\" denied the request: %s".formatted(rule, message));
  }

  @Nullable ApiException refusal() {
    return refusal;
  }

  @Nullable JsonObject changed() {
    return changed;
  }
}
