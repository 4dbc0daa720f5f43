package dev.muster.types;

/**
 * The deprecation of a type. Every request for the type gets the warning, whatever its result.
 *
 * @param warning the text for the client's Warning header
 * @param removedRelease the release that will not serve the type, such as {@code 1.42}, or ""
 */
public record Deprecation(String warning, String removedRelease) {}
