/** A control plane for JUnit tests: put {@code @Muster} on a class or a field. */
@NullMarked
package dev.muster.junit;

import org.jspecify.annotations.NullMarked;
