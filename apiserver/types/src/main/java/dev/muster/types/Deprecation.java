package dev.muster.types;

/**
 * Why a type should not be used any more. Every request for it is warned, whatever comes of it.
 *
 * @param warning the text for the client's Warning header
 * @param removedRelease the release that will not serve it, such as {@code 1.42}, or ""
 */
public record Deprecation(String warning, String removedRelease) {}
