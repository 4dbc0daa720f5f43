@NullMarked
package dev.muster.store.encrypted.config;

import org.jspecify.annotations.NullMarked;
