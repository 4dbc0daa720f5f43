/** The authorization interfaces: attributes, rules and decisions. */
@NullMarked
package dev.muster.authorization;

import org.jspecify.annotations.NullMarked;
