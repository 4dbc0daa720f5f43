/** What objects look like in the store, and what the API makes of that. */
@NullMarked
package dev.muster.schema.storage;

import org.jspecify.annotations.NullMarked;
