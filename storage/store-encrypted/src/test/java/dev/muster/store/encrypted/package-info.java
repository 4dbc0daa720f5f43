@NullMarked
package dev.muster.store.encrypted;

import org.jspecify.annotations.NullMarked;
