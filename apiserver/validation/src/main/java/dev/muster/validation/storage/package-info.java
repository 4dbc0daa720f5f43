/** The rules of {@code storage.k8s.io}. */
@NullMarked
package dev.muster.validation.storage;

import org.jspecify.annotations.NullMarked;
