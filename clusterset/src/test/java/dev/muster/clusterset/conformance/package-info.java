@NullMarked
package dev.muster.clusterset.conformance;

import org.jspecify.annotations.NullMarked;
