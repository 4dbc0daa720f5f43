/** ClusterProperty: its definition, its Java type, and the controller that sets a cluster's ID. */
@NullMarked
package dev.muster.multicluster.identity;

import org.jspecify.annotations.NullMarked;
