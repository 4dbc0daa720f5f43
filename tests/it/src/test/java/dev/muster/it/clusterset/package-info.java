/** Clusters that know who they are, and the ClusterSets that they form. */
@NullMarked
package dev.muster.it.clusterset;

import org.jspecify.annotations.NullMarked;
