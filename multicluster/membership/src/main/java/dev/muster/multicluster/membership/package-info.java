/** ClusterSet membership, decided in a hub and mirrored in the member. */
@NullMarked
package dev.muster.multicluster.membership;

import org.jspecify.annotations.NullMarked;
