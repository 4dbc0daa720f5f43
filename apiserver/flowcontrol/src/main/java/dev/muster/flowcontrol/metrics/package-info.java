/** What flow control counts: requests, refusals and seats, by level and schema. */
@NullMarked
package dev.muster.flowcontrol.metrics;

import org.jspecify.annotations.NullMarked;
