/** Reads and writes YAML like kube-apiserver. */
@NullMarked
package dev.muster.wire.yaml;

import org.jspecify.annotations.NullMarked;
