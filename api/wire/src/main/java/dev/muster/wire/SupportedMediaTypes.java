package dev.muster.wire;

import java.util.List;
import java.util.stream.Collectors;

/** The encodings that a server accepts and produces, the preferred one first. */
public record SupportedMediaTypes(List<Encoding> encodings) {
  /** The default encodings. */
  public static final SupportedMediaTypes STANDARD =
      new SupportedMediaTypes(List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF));

  /** The encodings with the feature gate {@code CBORServingAndStorage}. */
  public static final SupportedMediaTypes WITH_CBOR =
      new SupportedMediaTypes(
          List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF, Encoding.CBOR));

  public SupportedMediaTypes {
    encodings = List.copyOf(encodings);
  }

  /** These encodings without one of them. */
  public SupportedMediaTypes without(Encoding encoding) {
    return new SupportedMediaTypes(encodings.stream().filter(other -> other != encoding).toList());
  }

  /** The media types of objects and lists, as errors list them. */
  public String types() {
    return encodings.stream().map(Encoding::mediaType).collect(Collectors.joining(", "));
  }

  /** The media types of watches, as errors list them. */
  public String streamTypes() {
    return encodings.stream()
        .filter(encoding -> encoding != Encoding.YAML)
        .map(
            encoding ->
                encoding == Encoding.CBOR
                    ? encoding.streamType()
                    : encoding.mediaType() + ";stream=watch")
        .collect(Collectors.joining(", "));
  }

  /** Whether a clause of an {@code Accept} header names one of the types or a wildcard. */
  boolean isRouted(MediaType clause, boolean streams) {
    return clause.name().equals("*/*")
        || encodings.stream()
            .anyMatch(
                encoding ->
                    encoding.mediaType().equals(clause.name())
                        || (streams && encoding.streamType().equals(clause.name())));
  }
}
