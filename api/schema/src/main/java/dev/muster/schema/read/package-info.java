/** Reads objects into the structure of their kind as kube-apiserver does, with its complaints. */
@NullMarked
package dev.muster.schema.read;

import org.jspecify.annotations.NullMarked;
