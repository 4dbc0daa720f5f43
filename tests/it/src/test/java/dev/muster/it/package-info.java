/** End-to-end tests: real processes, real kubectl, real etcd. */
@NullMarked
package dev.muster.it;

import org.jspecify.annotations.NullMarked;
