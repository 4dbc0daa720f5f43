/** JSON as an immutable tree, and as text for messages. */
@NullMarked
package dev.muster.model.json;

import org.jspecify.annotations.NullMarked;
