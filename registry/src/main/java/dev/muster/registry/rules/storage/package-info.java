/** The rules of {@code storage.k8s.io}. */
@NullMarked
package dev.muster.registry.rules.storage;

import org.jspecify.annotations.NullMarked;
