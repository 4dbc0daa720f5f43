/** What the ways to change an object share; the packages below have one each. */
@NullMarked
package dev.muster.patch.edit;

import org.jspecify.annotations.NullMarked;
