@NullMarked
package dev.muster.store.encrypted.kms;

import org.jspecify.annotations.NullMarked;
