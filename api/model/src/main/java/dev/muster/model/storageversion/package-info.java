/** The status of StorageVersions, which API servers write and controllers prune. */
@NullMarked
package dev.muster.model.storageversion;

import org.jspecify.annotations.NullMarked;
