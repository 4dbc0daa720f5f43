/** The objects of a first start: roles and bindings, flow control, priority classes. */
@NullMarked
package dev.muster.authorization.bootstrap;

import org.jspecify.annotations.NullMarked;
