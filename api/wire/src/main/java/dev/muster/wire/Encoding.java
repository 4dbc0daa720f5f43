package dev.muster.wire;

/** The encodings of bodies. */
public enum Encoding {
  JSON("application/json", "application/json"),
  YAML("application/yaml", "application/yaml"),
  PROTOBUF(
      "application/vnd.kubernetes.protobuf", "application/vnd.kubernetes.protobuf;stream=watch"),
  CBOR("application/cbor", "application/cbor-seq");

  private final String mediaType;
  private final String streamType;

  Encoding(String mediaType, String streamType) {
    this.mediaType = mediaType;
    this.streamType = streamType;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The content type of a watch in this encoding. */
  public String streamType() {
    return streamType;
  }
}
