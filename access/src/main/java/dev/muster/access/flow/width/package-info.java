/** How many seats a request takes, estimated before it runs. */
@NullMarked
package dev.muster.access.flow.width;

import org.jspecify.annotations.NullMarked;
