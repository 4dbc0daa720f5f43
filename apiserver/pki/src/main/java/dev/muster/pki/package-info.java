/** Keys, certificates and the files in which they live. */
@NullMarked
package dev.muster.pki;

import org.jspecify.annotations.NullMarked;
