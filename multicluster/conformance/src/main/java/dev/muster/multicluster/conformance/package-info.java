/** Whether clusters and fleets of API servers of any make keep what the documents ask for. */
@NullMarked
package dev.muster.multicluster.conformance;

import org.jspecify.annotations.NullMarked;
