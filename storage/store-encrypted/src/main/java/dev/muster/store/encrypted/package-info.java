/** Encryption at rest: a store in front of another one, which only sees what is encrypted. */
@NullMarked
package dev.muster.store.encrypted;

import org.jspecify.annotations.NullMarked;
