/** Encryption at rest: a store that encrypts the values of another store. */
@NullMarked
package dev.muster.store.encrypted;

import org.jspecify.annotations.NullMarked;
