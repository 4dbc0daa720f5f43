/** What Prometheus is told. */
@NullMarked
package dev.muster.server.metrics;

import org.jspecify.annotations.NullMarked;
