/** Strategies of Jobs and CronJobs. */
@NullMarked
package dev.muster.validation.batch;

import org.jspecify.annotations.NullMarked;
