/**
 * Who a cluster is and which ClusterSet it belongs to. Uses the Kubernetes API only, so it runs
 * with any API server.
 */
@NullMarked
package dev.muster.clusterset;

import org.jspecify.annotations.NullMarked;
