/** Empties namespaces that are deleted, and then gives them free. */
@NullMarked
package dev.muster.controllers.namespaces;

import org.jspecify.annotations.NullMarked;
