/** What the ways to change an object share; the packages below have one each. */
@NullMarked
package dev.muster.change;

import org.jspecify.annotations.NullMarked;
