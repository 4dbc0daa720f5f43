/** Parses and formats values like Go, because clients match on texts that contain them. */
@NullMarked
package dev.muster.model.gocompat;

import org.jspecify.annotations.NullMarked;
