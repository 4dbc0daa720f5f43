/** Keys that a KMS plug-in keeps: its protocol, its health, and the envelopes around values. */
@NullMarked
package dev.muster.store.encrypted.kms;

import org.jspecify.annotations.NullMarked;
