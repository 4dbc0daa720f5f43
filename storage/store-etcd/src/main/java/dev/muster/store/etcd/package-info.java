/** The store that keeps its log in etcd, for clusters with API servers on several machines. */
@NullMarked
package dev.muster.store.etcd;

import org.jspecify.annotations.NullMarked;
