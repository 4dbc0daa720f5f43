@NullMarked
package dev.muster.multicluster.conformance;

import org.jspecify.annotations.NullMarked;
