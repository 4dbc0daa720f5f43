/** The commands of a ClusterSet: membership, services, DNS and conformance. */
@NullMarked
package dev.muster.cli.clusterset;

import org.jspecify.annotations.NullMarked;
