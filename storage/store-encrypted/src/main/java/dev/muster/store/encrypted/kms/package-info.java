/** KMS plug-ins: their protocol, their health, and the envelopes of encrypted values. */
@NullMarked
package dev.muster.store.encrypted.kms;

import org.jspecify.annotations.NullMarked;
