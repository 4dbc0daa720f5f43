/**
 * A sorted tree that never changes: every change makes another one that shares most of its parts.
 */
@NullMarked
package dev.muster.replica.tree;

import org.jspecify.annotations.NullMarked;
