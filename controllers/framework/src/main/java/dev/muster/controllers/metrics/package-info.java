/** What controllers and their queues count, under the names that kube-controller-manager uses. */
@NullMarked
package dev.muster.controllers.metrics;

import org.jspecify.annotations.NullMarked;
