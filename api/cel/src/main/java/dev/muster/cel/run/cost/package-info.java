/** What an evaluation costs, and how much it may. */
@NullMarked
package dev.muster.cel.run.cost;

import org.jspecify.annotations.NullMarked;
