/**
 * gzip: the choice of responses to compress, and their compression at once or part by part. Uses
 * {@code http} and the memory budget of {@code limits}.
 */
@NullMarked
package dev.muster.http.compression;

import org.jspecify.annotations.NullMarked;
