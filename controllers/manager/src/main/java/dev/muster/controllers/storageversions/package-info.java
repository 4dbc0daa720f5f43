/** In which versions API servers store objects: migrations, and what servers that are gone said. */
@NullMarked
package dev.muster.controllers.storageversions;

import org.jspecify.annotations.NullMarked;
