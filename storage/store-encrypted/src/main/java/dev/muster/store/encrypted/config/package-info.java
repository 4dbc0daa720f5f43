/** What the file of {@code --encryption-provider-config} says, read and checked. */
@NullMarked
package dev.muster.store.encrypted.config;

import org.jspecify.annotations.NullMarked;
