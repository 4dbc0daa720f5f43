package dev.muster.schema;

/**
 * A map from texts to values.
 *
 * @param atomic whether server-side apply treats it as one value
 */
public record MapShape(Shape values, boolean atomic) implements Shape {}
