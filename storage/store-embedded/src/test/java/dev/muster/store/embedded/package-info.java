@NullMarked
package dev.muster.store.embedded;

import org.jspecify.annotations.NullMarked;
