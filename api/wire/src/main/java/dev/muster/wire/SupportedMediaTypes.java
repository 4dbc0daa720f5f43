package dev.muster.wire;

import java.util.List;
import java.util.stream.Collectors;

/** The encodings that a server takes and gives, the preferred one first. */
public record SupportedMediaTypes(List<Encoding> encodings) {
  /** What is offered by default. */
  public static final SupportedMediaTypes STANDARD =
      new SupportedMediaTypes(List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF));

  /** What is offered with the feature gate {@code CBORServingAndStorage}. */
  public static final SupportedMediaTypes WITH_CBOR =
      new SupportedMediaTypes(
          List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF, Encoding.CBOR));

  public SupportedMediaTypes {
    encodings = List.copyOf(encodings);
  }

  /** This offer without one of its encodings. */
  public SupportedMediaTypes without(Encoding encoding) {
    return new SupportedMediaTypes(encodings.stream().filter(other -> other != encoding).toList());
  }

  /** The media types of single objects and lists, as errors name them. */
  public String types() {
    return encodings.stream().map(Encoding::mediaType).collect(Collectors.joining(", "));
  }

  /** The media types of watches, as errors name them. */
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

  /** Whether a clause of an {@code Accept} header names one of the types, or any. */
  boolean isRouted(MediaType clause, boolean streams) {
    return clause.name().equals("*/*")
        || encodings.stream()
            .anyMatch(
                encoding ->
                    encoding.mediaType().equals(clause.name())
                        || (streams && encoding.streamType().equals(clause.name())));
  }
}
