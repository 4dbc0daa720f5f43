/** Rules of jobs and of what makes jobs on a schedule. */
@NullMarked
package dev.muster.registry.rules.jobs;

import org.jspecify.annotations.NullMarked;
