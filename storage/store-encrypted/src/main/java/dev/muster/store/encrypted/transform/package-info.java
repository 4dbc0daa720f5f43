/** How a value is encrypted and decrypted, byte for byte as kube-apiserver does it. */
@NullMarked
package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.NullMarked;
