package dev.muster.types.conversion;

import dev.muster.model.gocompat.GoNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.wire.DecodeException;
import java.util.function.UnaryOperator;

/**
 * Numbers that were fields of workloads once and are kept in annotations: what does not look like
 * one cannot be read.
 */
public final class DeprecatedAnnotations {
  /** How often the template of a DaemonSet has changed. */
  public static final String TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

  /** The revision that a Deployment is to go back to. */
  public static final String ROLLBACK = "deprecated.deployment.rollback.to";

  /** What DaemonSets go through. */
  public static final Conversion OF_DAEMON_SETS =
      numbered(DeprecatedAnnotations::ofDaemonSet, TEMPLATE_GENERATION);

  /** What Deployments go through. */
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

  /** The set with its generation, which is never absent: whoever leaves it out says zero. */
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

  /** The metadata of an object when nothing else of it is shown: then these are numbers still. */
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
