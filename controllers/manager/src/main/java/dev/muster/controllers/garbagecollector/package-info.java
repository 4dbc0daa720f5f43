/** Deletes objects whose owners are gone, and holds owners until their dependents are. */
@NullMarked
package dev.muster.controllers.garbagecollector;

import org.jspecify.annotations.NullMarked;
