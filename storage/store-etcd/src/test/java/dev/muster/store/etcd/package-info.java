@NullMarked
package dev.muster.store.etcd;

import org.jspecify.annotations.NullMarked;
