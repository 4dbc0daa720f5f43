/** Conformance checks for clusters and fleets of any API servers. */
@NullMarked
package dev.muster.multicluster.conformance;

import org.jspecify.annotations.NullMarked;
