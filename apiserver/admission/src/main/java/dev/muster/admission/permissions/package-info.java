/**
 * Plugins that ask whether the user may do what an object implies: sign, own, refer to something.
 */
@NullMarked
package dev.muster.admission.permissions;

import org.jspecify.annotations.NullMarked;
