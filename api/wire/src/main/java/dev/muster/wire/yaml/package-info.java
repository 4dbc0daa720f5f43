/** YAML as kube-apiserver reads and writes it. */
@NullMarked
package dev.muster.wire.yaml;

import org.jspecify.annotations.NullMarked;
