/** An immutable sorted tree whose changed copies share most of their nodes. */
@NullMarked
package dev.muster.replica.tree;

import org.jspecify.annotations.NullMarked;
