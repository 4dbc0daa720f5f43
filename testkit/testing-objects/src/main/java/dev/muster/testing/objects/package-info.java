/** Objects of all kinds for tests. */
@NullMarked
package dev.muster.testing.objects;

import org.jspecify.annotations.NullMarked;
