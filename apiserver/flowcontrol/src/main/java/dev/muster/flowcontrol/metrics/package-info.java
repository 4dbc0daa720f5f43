/** Statistics of flow control: requests, refusals and seats, by priority level and FlowSchema. */
@NullMarked
package dev.muster.flowcontrol.metrics;

import org.jspecify.annotations.NullMarked;
