/**
 * Finds errors in expressions, one class for each kind of error, with kube-apiserver's messages.
 */
@NullMarked
package dev.muster.cel.problem;

import org.jspecify.annotations.NullMarked;
