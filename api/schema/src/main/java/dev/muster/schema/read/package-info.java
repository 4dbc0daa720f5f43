/** Reads objects into the structure of their kind like kube-apiserver, with its errors. */
@NullMarked
package dev.muster.schema.read;

import org.jspecify.annotations.NullMarked;
