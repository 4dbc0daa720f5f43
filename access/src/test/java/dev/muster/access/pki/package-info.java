@NullMarked
package dev.muster.access.pki;

import org.jspecify.annotations.NullMarked;
