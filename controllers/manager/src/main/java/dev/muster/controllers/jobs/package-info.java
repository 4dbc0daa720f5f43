/** What happens to Jobs that have finished. */
@NullMarked
package dev.muster.controllers.jobs;

import org.jspecify.annotations.NullMarked;
