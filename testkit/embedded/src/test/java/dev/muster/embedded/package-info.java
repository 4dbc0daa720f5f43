@NullMarked
package dev.muster.embedded;

import org.jspecify.annotations.NullMarked;
