/**
 * gzip: which answers go out compressed, at once or part by part. Knows {@code http} and the memory
 * that it counts ({@code limits}).
 */
@NullMarked
package dev.muster.http.compression;

import org.jspecify.annotations.NullMarked;
