@NullMarked
package dev.muster.access.rbac;

import org.jspecify.annotations.NullMarked;
