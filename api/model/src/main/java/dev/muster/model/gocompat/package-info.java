/** Values as Go reads and prints them: clients match on texts that contain them. */
@NullMarked
package dev.muster.model.gocompat;

import org.jspecify.annotations.NullMarked;
