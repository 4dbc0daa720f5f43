/** The fleet at a glance. */
@NullMarked
package dev.muster.cli.status;

import org.jspecify.annotations.NullMarked;
