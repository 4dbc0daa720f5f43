/** Versions of groups that other API servers answer for, and how requests get to them. */
@NullMarked
package dev.muster.server.aggregation;

import org.jspecify.annotations.NullMarked;
