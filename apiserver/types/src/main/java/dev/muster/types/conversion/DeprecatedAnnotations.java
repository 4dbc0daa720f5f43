package dev.muster.types.conversion;

import dev.muster.model.gocompat.GoNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import java.util.function.UnaryOperator;

/**
 * Numbers that were fields of workloads once and are now annotations. An object whose annotation is
 * not a number is unreadable.
 */
public final class DeprecatedAnnotations {
  /** The number of changes of a DaemonSet's template. */
  public static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  /** The revision to which a Deployment rolls back. */
  public static final String ROLLBACK = "deprecated.deployment.rollback.to";

  /** The conversion of DaemonSets. */
  public static final Conversion OF_DAEMON_SETS =
      numbered(DeprecatedAnnotations::ofDaemonSet, TEMPLATE_GENERATION);

  /** The conversion of Deployments. */
  public static final Conversion OF_DEPLOYMENTS =
      numbered(DeprecatedAnnotations::ofDeployment, ROLLBACK);

  private DeprecatedAnnotations() {}

  private static Conversion numbered(UnaryOperator<JsonObject> read, String annotation) {
    return new Conversion() {
      @Override
      public JsonObject toStored(JsonObject object) {
        return read.apply(object);
      }

      @Override
      public JsonObject shownMetadata(JsonObject metadata) {
        return hidden(metadata, annotation);
      }
    };
  }

  /** The DaemonSet with its template generation, which is 0 when absent. */
  static JsonObject ofDaemonSet(JsonObject set) {
    var annotations = set.object("metadata", "annotations");
    var generation =
        annotations.has(TEMPLATE_GENERATION) ? annotations.string(TEMPLATE_GENERATION) : "0";
    try {
      return with(set, TEMPLATE_GENERATION, generation);
    } catch (NumberFormatException e) {
      throw new DecodeException("strconv.ParseInt: " + e.getMessage());
    }
  }

  static JsonObject ofDeployment(JsonObject deployment) {
    var annotations = deployment.object("metadata", "annotations");
    if (!annotations.has(ROLLBACK)) {
      return deployment;
    }
    var revision = annotations.string(ROLLBACK);
    if (revision.isEmpty()) {
      return deployment.withoutAt("metadata", "annotations", ROLLBACK);
    }
    try {
      return with(deployment, ROLLBACK, revision);
    } catch (NumberFormatException e) {
      throw new DecodeException(
          "failed to parse annotation["
              + ROLLBACK
              + "]="
              + revision
              + " as int64: strconv.ParseInt: "
              + e.getMessage());
    }
  }

  /**
   * The metadata of an object without the rest of the object. It omits the annotation, because
   * upstream's internal version holds the number in a field.
   */
  static JsonObject hidden(JsonObject metadata, String annotation) {
    if (!metadata.object("annotations").has(annotation)) {
      return metadata;
    }
    var others = metadata.object("annotations").without(annotation);
    return others.isEmpty()
        ? metadata.without("annotations")
        : metadata.with("annotations", others);
  }

  private static JsonObject with(JsonObject object, String annotation, String number) {
    var plain = Long.toString(GoNumber.parse(number));
    var annotations = object.object("metadata", "annotations");
    return plain.equals(annotations.string(annotation))
        ? object
        : object.with(
            "metadata",
            object.object("metadata").with("annotations", annotations.with(annotation, plain)));
  }
}
