/** Reads and validates the file of {@code --encryption-provider-config}. */
@NullMarked
package dev.muster.store.encrypted.config;

import org.jspecify.annotations.NullMarked;
