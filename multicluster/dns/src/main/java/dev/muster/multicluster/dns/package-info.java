/** DNS of a ClusterSet: the names of imported services, answered from memory. */
@NullMarked
package dev.muster.multicluster.dns;

import org.jspecify.annotations.NullMarked;
