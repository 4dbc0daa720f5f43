/** Deletion of namespaces, and objects that every namespace has. */
@NullMarked
package dev.muster.controllers.namespaces;

import org.jspecify.annotations.NullMarked;
