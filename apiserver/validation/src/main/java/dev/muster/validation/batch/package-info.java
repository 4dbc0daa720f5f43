/** Rules of jobs and of what makes jobs on a schedule. */
@NullMarked
package dev.muster.validation.batch;

import org.jspecify.annotations.NullMarked;
