/** The ClusterSet commands: membership, services, DNS and conformance. */
@NullMarked
package dev.muster.cli.clusterset;

import org.jspecify.annotations.NullMarked;
