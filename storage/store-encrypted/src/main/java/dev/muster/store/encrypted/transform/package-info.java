/** Encrypts and decrypts values, byte for byte like kube-apiserver. */
@NullMarked
package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.NullMarked;
