/** Clients that race for one object on several servers, and a judge who knows what is possible. */
@NullMarked
package dev.muster.it.races;

import org.jspecify.annotations.NullMarked;
