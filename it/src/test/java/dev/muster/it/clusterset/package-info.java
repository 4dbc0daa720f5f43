/** Clusters of one ClusterSet, each a server of its own. */
@NullMarked
package dev.muster.it.clusterset;

import org.jspecify.annotations.NullMarked;
