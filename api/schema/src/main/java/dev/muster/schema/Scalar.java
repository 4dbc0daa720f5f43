package dev.muster.schema;

/** Values without members, in the JSON of Kubernetes. */
public enum Scalar implements Shape {
  STRING,
  BOOLEAN,
  INT32,
  INT64,
  DOUBLE,
  /** Base64 text. */
  BYTES,
  /** RFC 3339 in whole seconds, UTC. */
  TIME,
  /** RFC 3339 with six fraction digits, UTC. */
  MICRO_TIME,
  /** A Go duration such as {@code 1m30s}. */
  DURATION,
  QUANTITY,
  INT_OR_STRING,
  /** Any JSON, kept unchanged: RawExtension and JSON. */
  ANY,
  /** The field set of a managedFields entry. */
  FIELDS_V1,
  /**
   * In schemas of custom resources: a schema or a list of schemas. Other code treats it as one
   * value.
   */
  SCHEMA_OR_ARRAY,
  /** In schemas of custom resources: a schema or a boolean. Other code treats it as one value. */
  SCHEMA_OR_BOOL,
  /**
   * In schemas of custom resources: a schema or a list of texts. Other code treats it as one value.
   */
  SCHEMA_OR_STRINGS;

  /** Whether the value may be a schema of a custom resource. */
  public boolean isSchema() {
    return this == SCHEMA_OR_ARRAY || this == SCHEMA_OR_BOOL || this == SCHEMA_OR_STRINGS;
  }
}
