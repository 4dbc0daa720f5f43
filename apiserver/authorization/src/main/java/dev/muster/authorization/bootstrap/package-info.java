/** The objects that exist after a first start: roles, flow control, priorities. */
@NullMarked
package dev.muster.authorization.bootstrap;

import org.jspecify.annotations.NullMarked;
