/** Metrics of controllers and work queues, under the names of kube-controller-manager. */
@NullMarked
package dev.muster.controllers.metrics;

import org.jspecify.annotations.NullMarked;
