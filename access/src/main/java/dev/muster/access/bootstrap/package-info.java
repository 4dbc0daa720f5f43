/** The objects that exist after a first start: roles, flow control, priorities. */
@NullMarked
package dev.muster.access.bootstrap;

import org.jspecify.annotations.NullMarked;
