/** How many seats a request takes, estimated before it runs. */
@NullMarked
package dev.muster.flowcontrol.width;

import org.jspecify.annotations.NullMarked;
