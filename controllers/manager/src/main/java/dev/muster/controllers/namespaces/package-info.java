/** Namespaces that are deleted and emptied first, and what every namespace has. */
@NullMarked
package dev.muster.controllers.namespaces;

import org.jspecify.annotations.NullMarked;
