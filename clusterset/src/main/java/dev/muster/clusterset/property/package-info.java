/** ClusterProperty: its definition, its Java type, and the controller that sets a cluster's ID. */
@NullMarked
package dev.muster.clusterset.property;

import org.jspecify.annotations.NullMarked;
