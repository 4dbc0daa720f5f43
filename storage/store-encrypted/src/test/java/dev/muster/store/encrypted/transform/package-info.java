@NullMarked
package dev.muster.store.encrypted.transform;

import org.jspecify.annotations.NullMarked;
