/** The log in etcd, for many machines. */
@NullMarked
package dev.muster.store.etcd;

import org.jspecify.annotations.NullMarked;
