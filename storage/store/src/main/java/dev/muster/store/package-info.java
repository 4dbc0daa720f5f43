/** The log: one interface, one contract suite, the in-memory engine. */
@NullMarked
package dev.muster.store;

import org.jspecify.annotations.NullMarked;
