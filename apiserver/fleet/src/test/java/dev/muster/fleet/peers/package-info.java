@NullMarked
package dev.muster.fleet.peers;

import org.jspecify.annotations.NullMarked;
