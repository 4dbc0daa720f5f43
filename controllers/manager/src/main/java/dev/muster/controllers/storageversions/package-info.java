/** Storage versions of resources: migrations, and cleanup of entries of gone API servers. */
@NullMarked
package dev.muster.controllers.storageversions;

import org.jspecify.annotations.NullMarked;
