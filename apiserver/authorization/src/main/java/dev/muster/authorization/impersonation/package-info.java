/** Acting as somebody else, where that is allowed (KEP-5284). */
@NullMarked
package dev.muster.authorization.impersonation;

import org.jspecify.annotations.NullMarked;
