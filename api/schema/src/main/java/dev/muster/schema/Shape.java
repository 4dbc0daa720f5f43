package dev.muster.schema;

/** The structure of a value: a scalar, a list, a map or a struct with named fields. */
public sealed interface Shape permits Scalar, ListShape, MapShape, StructShape {}
