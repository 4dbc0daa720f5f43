/** User impersonation, constrained (KEP-5284) and legacy. */
@NullMarked
package dev.muster.authorization.impersonation;

import org.jspecify.annotations.NullMarked;
