package dev.muster.openapi;

import dev.muster.schema.ResourceType;
import java.util.List;

/**
 * What all operations on built-in resources have in common, and all on custom ones: clients believe
 * what is said here.
 *
 * @param consumes the media types of objects that are sent
 * @param produces those of objects that are answered
 * @param lists those of lists and watches
 * @param patches those of patches
 * @param reads what the read of one object can be asked for
 * @param patchCodes with which patches are answered
 */
record OperationStyle(
    List<String> consumes,
    List<String> produces,
    List<String> lists,
    List<String> patches,
    List<OperationParameters> reads,
    List<String> patchCodes) {
  private static final String JSON = "application/json";
  private static final String YAML = "application/yaml";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String WATCH = ";stream=watch";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
  private static final String APPLY_PATCH = "application/apply-patch+yaml";
  private static final List<String> READABLE = List.of(JSON, YAML);

  static final List<String> ANY = List.of("*/*");
  static final List<String> ALL = List.of(JSON, YAML, PROTOBUF);

  /** Text, unless it is an error. */
  static final List<String> LOG = List.of("text/plain", JSON, YAML, PROTOBUF);

  static final OperationStyle BUILT_IN =
      new OperationStyle(
          ANY,
          ALL,
          List.of(JSON, YAML, PROTOBUF, JSON + WATCH, PROTOBUF + WATCH),
          List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH),
          List.of(),
          List.of("200", "201"));

  /** Without protobuf and the strategic merge, which custom resources do not have. */
  static final OperationStyle CUSTOM =
      new OperationStyle(
          READABLE,
          READABLE,
          READABLE,
          List.of(JSON_PATCH, MERGE_PATCH, APPLY_PATCH),
          List.of(OperationParameters.RESOURCE_VERSION),
          List.of("200"));

  static OperationStyle of(ResourceType type) {
    return type.shape().isPublished() ? CUSTOM : BUILT_IN;
  }
}
