/** Whether a cluster keeps what the document on cluster identity asks for. */
@NullMarked
package dev.muster.clusterset.conformance;

import org.jspecify.annotations.NullMarked;
