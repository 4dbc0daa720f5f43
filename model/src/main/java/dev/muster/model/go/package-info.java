/** Values as Go reads and prints them: clients match on texts that contain them. */
@NullMarked
package dev.muster.model.go;

import org.jspecify.annotations.NullMarked;
