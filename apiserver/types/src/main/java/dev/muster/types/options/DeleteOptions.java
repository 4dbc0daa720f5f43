package dev.muster.types.options;

import dev.muster.model.GroupKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The options of a delete, from the body or, without a body, from the query.
 *
 * @param propagation Foreground, Background, Orphan, or "" for the default
 * @param orphanDependents the deprecated form of the propagation policy, or null
 * @param uid the UID that the object must have, or null
 * @param resourceVersion the resourceVersion that the object must have, or null
 */
public record DeleteOptions(
    boolean dryRun,
    OptionalLong gracePeriodSeconds,
    String propagation,
    @Nullable Boolean orphanDependents,
    @Nullable String uid,
    @Nullable String resourceVersion,
    JsonObject body) {

  static final GroupKind KIND = new GroupKind("meta.k8s.io", "DeleteOptions");
  private static final String IGNORE_READ_ERROR =
      "ignoreStoreReadErrorWithClusterBreakingPotential";
  private static final List<String> POLICIES = List.of("Foreground", "Background", "Orphan", "nil");

  /** The options, ignoring {@code ignoreStoreReadErrorWithClusterBreakingPotential}. */
  public static DeleteOptions of(@Nullable JsonObject body, Query query) {
    return of(body, query, false);
  }

  /**
   * @param unsafe whether unreadable objects may be deleted; otherwise the client's option for it
   *     is ignored
   * @throws ApiException Invalid when the options contradict one another
   */
  public static DeleteOptions of(@Nullable JsonObject body, Query query, boolean unsafe) {
    var sent = body == null ? ofQuery(query) : body;
    var options = fromBody(unsafe ? sent : sent.without(IGNORE_READ_ERROR));
    var errors = new ArrayList<FieldError>();
    options.check(errors);
    boolean dryRun =
        body == null
            ? WriteOptions.checkDryRun(query.has("dryRun"), query.all("dryRun"), errors)
            : WriteOptions.checkDryRun(body.has("dryRun"), body.array("dryRun").strings(), errors);
    options.checkIgnored(errors);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(KIND, "", errors);
    }
    return options.withDryRun(dryRun);
  }

  /** Whether to delete the object only if it is unreadable. */
  public boolean ignoresReadError() {
    return body.isTrue(IGNORE_READ_ERROR);
  }

  /**
   * @throws ApiException Invalid when these options are valid for single objects only
   */
  public void checkForCollection() {
    if (ignoresReadError()) {
      throw ApiException.invalid(
          KIND,
          "",
          List.of(
              ignored(
                  "is not allowed with DELETECOLLECTION, try again after removing the option")));
    }
  }

  private static FieldError ignored(String why) {
    return FieldError.invalid(FieldPath.of(IGNORE_READ_ERROR), JsonBool.TRUE, why);
  }

  /** Refuses options that an unreadable object cannot be checked against. */
  private void checkIgnored(List<FieldError> errors) {
    if (!ignoresReadError()) {
      return;
    }
    for (var field :
        List.of("propagationPolicy", "orphanDependents", "gracePeriodSeconds", "preconditions")) {
      if (body.has(field) && !(body.get(field) instanceof JsonNull)) {
        errors.add(ignored("cannot be set together with ." + field));
      }
    }
  }

  /** Options that have not been validated yet; any value of {@code dryRun} counts as a dry run. */
  public static DeleteOptions unchecked(JsonObject body) {
    return fromBody(body).withDryRun(!body.array("dryRun").isEmpty());
  }

  /**
   * @throws ApiException Invalid when the body has invalid options
   */
  public void check() {
    var errors = new ArrayList<FieldError>();
    check(errors);
    WriteOptions.checkDryRun(body.has("dryRun"), body.array("dryRun").strings(), errors);
    if (!errors.isEmpty()) {
      throw ApiException.invalid(KIND, "", errors);
    }
  }

  /** These options as the object that admission sees, whatever version the client sent. */
  public JsonObject asObject() {
    var object = body.with("kind", "DeleteOptions").with("apiVersion", "meta.k8s.io/v1");
    return dryRun ? object.with("dryRun", JsonArray.of(Json.of("All"))) : object;
  }

  private DeleteOptions withDryRun(boolean dry) {
    return new DeleteOptions(
        dry, gracePeriodSeconds, propagation, orphanDependents, uid, resourceVersion, body);
  }

  private static JsonObject ofQuery(Query query) {
    var body =
        JsonObject.builder().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
    if (query.has("gracePeriodSeconds")) {
      body.put("gracePeriodSeconds", query.integer("gracePeriodSeconds", 0));
    }
    if (query.has("orphanDependents")) {
      body.put("orphanDependents", query.isTrue("orphanDependents"));
    }
    if (query.has("propagationPolicy")) {
      body.put("propagationPolicy", query.first("propagationPolicy"));
    }
    if (query.has(IGNORE_READ_ERROR)) {
      body.put(IGNORE_READ_ERROR, query.isTrue(IGNORE_READ_ERROR));
    }
    return body.build();
  }

  private static DeleteOptions fromBody(JsonObject body) {
    var preconditions = body.object("preconditions");
    return new DeleteOptions(
        false,
        body.get("gracePeriodSeconds") instanceof JsonInteger seconds
            ? OptionalLong.of(seconds.value())
            : OptionalLong.empty(),
        body.string("propagationPolicy"),
        body.get("orphanDependents") instanceof JsonBool orphan
            ? Boolean.valueOf(orphan.value())
            : null,
        preconditions.get("uid") instanceof JsonString uid ? uid.value() : null,
        preconditions.get("resourceVersion") instanceof JsonString version ? version.value() : null,
        body);
  }

  private void check(List<FieldError> errors) {
    var path = FieldPath.of("propagationPolicy");
    if (!(body.get("propagationPolicy") instanceof JsonString)) {
      return;
    }
    if (orphanDependents != null) {
      errors.add(
          FieldError.invalid(
              path,
              Json.of(propagation),
              "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (!POLICIES.subList(0, 3).contains(propagation)) {
      errors.add(FieldError.notSupported(path, propagation, POLICIES));
    }
  }

  /** These options with another grace period. */
  DeleteOptions withGracePeriod(OptionalLong seconds) {
    return new DeleteOptions(
        dryRun, seconds, propagation, orphanDependents, uid, resourceVersion, body);
  }
}
